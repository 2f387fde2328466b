import { useText } from "../i18n/use-text.tsx";

/** A text's length as the server counts it: in code points, so that an emoji isn't two. */
export const characterCount = (text: string): number => [...text].length;

/** How many characters are left. Appears at 20% of the maximum, and is read out once the text is too long. */
export function CharacterCounter({ text, max }: { text: string; max: number }) {
  const { t } = useText();
  const left = max - characterCount(text);
  const isOver = left < 0;
  return (
    <span
      role="status"
      className={`text-sm tabular-nums ${isOver ? "font-semibold text-danger" : "text-soft"}`}
    >
      {left <= max * 0.2 && (
        <>
          <span aria-hidden="true">{left}</span>
          {isOver && <span className="sr-only">{t("common.tooLong", { count: -left })}</span>}
        </>
      )}
    </span>
  );
}
