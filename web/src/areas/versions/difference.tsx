import { useText } from "../../i18n/use-text.tsx";
import { compare, type Piece } from "./compare.ts";

/** What changed between two texts. Added text is underlined and removed text struck through, so color isn't needed. */
export function Difference({ before, after }: { before: string; after: string }) {
  return (
    <div className="theirs whitespace-pre-line">
      {compare(before, after).map((piece, i) => (
        <DifferencePiece key={String(i)} piece={piece} />
      ))}
    </div>
  );
}

function DifferencePiece({ piece: { kind, text } }: { piece: Piece }) {
  const { t } = useText();
  if (kind === "added")
    return (
      <ins className="rounded-sm bg-accent-soft px-0.5 text-accent decoration-2 underline-offset-3">
        <span className="sr-only">{t("versions.added")} </span>
        {text}
        <span className="sr-only"> {t("versions.end")}</span>
      </ins>
    );
  if (kind === "removed")
    return (
      <del className="rounded-sm bg-danger-soft px-0.5 text-danger decoration-2">
        <span className="sr-only">{t("versions.removed")} </span>
        {text}
        <span className="sr-only"> {t("versions.end")}</span>
      </del>
    );
  if (kind === "left out")
    return (
      <span className="text-soft">
        <span aria-hidden="true"> … </span>
        <span className="sr-only">{t("versions.leftOut")}</span>
      </span>
    );
  return text;
}
