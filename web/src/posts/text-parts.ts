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
