import { limits } from "@tandem/contract/limits";

/** A piece of what somebody wrote. All pieces in a row are what they wrote, to the letter. */
export interface TextPart {
  kind: "text" | "link" | "mention" | "tag";
  text: string;
}

/** An address; a name as the service tells people that they are named; a word behind a `#`, with a letter in it. */
const TOKEN =
  /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"]+|(?<![\p{L}\p{N}_.@/-])@[A-Za-z0-9_.-]{2,}|(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+/giu;

/** Finds what leads somewhere in a text. Names are looked for where they are accounts of this service. */
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
  // A sentence ends in a dot more often than a name does.
  const name = token.replace(/[.-]+$/, "");
  const { min, max } = limits.username;
  return name.length > min && name.length <= max + 1 ? { kind: "mention", text: name } : null;
}

const brackets = new Map([
  [")", "("],
  ["]", "["],
]);

/** Without what belongs to the sentence around it: a bracket that closes what was opened before, for one. */
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
