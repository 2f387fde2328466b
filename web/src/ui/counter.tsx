import { useText } from "../i18n/use-text.tsx";

/** A text's length as the server counts it: in code points, so that an emoji isn't two. */
export const characterCount = (text: string): number => [...text].length;

/** The counter of a long text appears this many characters before its end. */
const MOST_SHOWN = 200;

/** How many characters are left. Appears near the maximum, and is read out once the text is too long. */
export function CharacterCounter({ text, max }: { text: string; max: number }) {
  const { t } = useText();
  const left = max - characterCount(text);
  const isOver = left < 0;
  return (
    <span
      role="status"
      className={`text-sm tabular-nums ${isOver ? "font-semibold text-danger" : "text-soft"}`}
    >
      {left <= Math.min(max * 0.2, MOST_SHOWN) && (
        <>
          <span aria-hidden="true">{left}</span>
          {isOver && <span className="sr-only">{t("common.tooLong", { count: -left })}</span>}
        </>
      )}
    </span>
  );
}
