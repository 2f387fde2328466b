import { limits } from "@tandem/contract/limits";

/** A piece of user text. Joined in order, the pieces are exactly the text. */
export interface TextPart {
  kind: "text" | "link" | "mention" | "tag";
  text: string;
}

/** A URL, a mention as the server recognizes it, or a hashtag with at least one letter. */
const TOKEN =
  /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"]+|(?<![\p{L}\p{N}_.@/-])@[A-Za-z0-9_.-]{2,}|(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+/giu;

/**
 * Splits a text into plain text, links, mentions and hashtags. Without `mentions`, `@name` stays plain text.
 */
export function textParts(text: string, mentions = true): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const part = parsePart(match[0]);
    if (!part || (part.kind === "mention" && !mentions)) continue;
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    parts.push(part);
    at = match.index + part.text.length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

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

function parsePart(token: string): TextPart | null {
  if (token.startsWith("#")) return { kind: "tag", text: token };
  if (!token.startsWith("@")) return parseLink(token);
  // A trailing dot is more likely to end the sentence than the name.
  const name = token.replace(/[.-]+$/, "");
  const { min, max } = limits.username;
  return name.length > min && name.length <= max + 1 ? { kind: "mention", text: name } : null;
}

const brackets = new Map([
  [")", "("],
  ["]", "["],
]);

/**
 * Drops trailing characters that belong to the sentence, such as punctuation and an unmatched closing
 * bracket.
 */
function parseLink(token: string): TextPart | null {
  const unmatched = new Map<string, number>();
  for (const [close, open] of brackets) unmatched.set(close, countOf(token, close) - countOf(token, open));
  let end = token.length;
  for (; end > 0; end--) {
    const last = token.charAt(end - 1);
    const excess = unmatched.get(last);
    if (excess === undefined ? !/[.,;:!?'*~»”’…]/.test(last) : excess <= 0) break;
    if (excess !== undefined) unmatched.set(last, excess - 1);
  }
  const text = token.slice(0, end);
  return URL.canParse(text) ? { kind: "link", text } : null;
}

const countOf = (text: string, character: string): number => text.split(character).length - 1;
