import { countOf, type TextPart, textParts } from "@tandem/contract/text-parts";

/**
 * The beginning of a text, at most so many code points and lines, and whether more follows. It ends between words, and never inside a
 * link, mention or hashtag.
 */
export function excerptParts(
  text: string,
  { mentions, characters, lines }: { mentions: boolean; characters: number; lines: number },
): { parts: TextPart[]; isCut: boolean } {
  const parts: TextPart[] = [];
  let [charactersLeft, linesLeft] = [characters, lines];
  // What is cut off here is beyond the excerpt's end, as no code point has more than two code units.
  for (const part of textParts(text.trim().slice(0, 2 * characters + 1), mentions)) {
    const kept = part.kind === "text" ? beginningOf(part.text, charactersLeft, linesLeft) : part.text;
    const length = [...kept].length;
    if (kept.length < part.text.length || length > charactersLeft) {
      if (part.kind === "text") parts.push({ kind: "text", text: kept });
      return { parts: withoutEndingSpace(parts), isCut: true };
    }
    parts.push(part);
    charactersLeft -= length;
    linesLeft -= countOf(kept, "\n");
  }
  return { parts, isCut: false };
}

function withoutEndingSpace(parts: readonly TextPart[]): TextPart[] {
  const last = parts.at(-1);
  if (!last) return [];
  const text = last.text.trimEnd();
  return [...parts.slice(0, -1), ...(text === "" ? [] : [{ ...last, text }])];
}

/** A longer word is cut off. In code points. */
const LONGEST_WORD = 40;

/** Ends between words. */
function beginningOf(text: string, characters: number, lines: number): string {
  const inLines = text.split("\n").slice(0, Math.max(lines, 0)).join("\n");
  const all = [...inLines];
  if (all.length <= characters) return inLines;
  const space = all.slice(0, characters + 1).findLastIndex((one) => /\s/.test(one));
  return all.slice(0, space >= 0 && characters - space < LONGEST_WORD ? space : characters).join("");
}
