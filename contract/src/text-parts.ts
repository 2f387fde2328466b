import { usernameLength } from "./username-length.ts";

/** A piece of user text. Joined in order, the pieces are exactly the text. */
export interface TextPart {
  kind: "text" | "link" | "mention" | "tag";
  text: string;
}

/** A URL, a mention as the server recognizes it, or a hashtag with at least one letter. */
const TOKEN =
  /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"\p{Cc}]+|(?<![\p{L}\p{N}_.@/-])@[A-Za-z0-9_.-]{2,}|(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+/giu;

/** Of its own, because matchAll() starts where an expression was last used. */
const next = new RegExp(TOKEN);

/** The first link, mention or hashtag from a position on, and where it begins; null if there is none. */
export function nextPart(text: string, from: number): { index: number; part: TextPart } | null {
  next.lastIndex = from;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const part = parsePart(match[0]);
    if (part) return { index: match.index, part };
  }
  return null;
}

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

function parsePart(token: string): TextPart | null {
  if (token.startsWith("#")) return { kind: "tag", text: token };
  if (!token.startsWith("@")) return parseLink(token);
  // A trailing dot is more likely to end the sentence than the name.
  const name = token.replace(/[.-]+$/, "");
  const { min, max } = usernameLength;
  return name.length > min && name.length <= max + 1 ? { kind: "mention", text: name } : null;
}

/** A part of a link's text as a link, or as plain text. */
export const linkIn = (text: string): TextPart => parseLink(text) ?? { kind: "text", text };

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
    if (excess === undefined ? !/[.,;:!?'*_~»”’…]/.test(last) : excess <= 0) break;
    if (excess !== undefined) unmatched.set(last, excess - 1);
  }
  const text = token.slice(0, end);
  return URL.canParse(text) ? { kind: "link", text } : null;
}

export const countOf = (text: string, character: string): number => text.split(character).length - 1;
