import { limits } from "@tandem/contract/limits";

/** A piece of what somebody wrote. All pieces in a row are what they wrote, to the letter. */
export interface TextPart {
  kind: "text" | "link" | "mention" | "tag";
  text: string;
}

/** An address; a name as the service tells people that they are named; a word behind a `#`, with a letter in it. */
const findings =
  /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"]+|(?<![\p{L}\p{N}_.@/-])@[A-Za-z0-9_.-]{2,}|(?<![\p{L}\p{N}_&#/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+/giu;

/** Finds what leads somewhere in a text. Names are looked for where they are accounts of this service. */
export function textParts(text: string, mentions = true): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(findings)) {
    const part = partOf(match[0]);
    if (!part || (part.kind === "mention" && !mentions)) continue;
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    parts.push(part);
    at = match.index + part.text.length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

function partOf(found: string): TextPart | null {
  if (found.startsWith("#")) return { kind: "tag", text: found };
  if (!found.startsWith("@")) return linkOf(found);
  // A sentence ends in a dot more often than a name does.
  const name = found.replace(/[.-]+$/, "");
  const { min, max } = limits.username;
  return name.length > min && name.length <= max + 1 ? { kind: "mention", text: name } : null;
}

const brackets = new Map([
  [")", "("],
  ["]", "["],
]);

/** Without what belongs to the sentence around it: a bracket that closes what was opened before, for one. */
function linkOf(found: string): TextPart | null {
  const left = new Map<string, number>();
  for (const [close, open] of brackets) left.set(close, count(found, close) - count(found, open));
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const over = left.get(last);
    if (over === undefined ? !/[.,;:!?'*~»”’…]/.test(last) : over <= 0) break;
    if (over !== undefined) left.set(last, over - 1);
  }
  const text = found.slice(0, end);
  return URL.canParse(text) ? { kind: "link", text } : null;
}

const count = (text: string, character: string): number => text.split(character).length - 1;
