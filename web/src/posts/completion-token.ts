import { limits } from "@tandem/contract/limits";
import type { Edit } from "./markdown-edits.ts";

/** The mention or hashtag that is being typed: its sign is at `from`, and the caret at `to`. */
export interface Token {
  kind: "mention" | "tag";
  /** Without the sign. */
  text: string;
  from: number;
  to: number;
}

/** What the operations that suggest names take. A longer token is none. */
const MAX_LENGTH = { mention: limits.displayName, tag: limits.tag };
/** As the server recognizes them, but a mention may also begin with a word of a display name, in any script. */
const mention = /(?<![\p{L}\p{N}_.@/-])@([\p{L}\p{M}\p{N}_.-]+)$/u;
const tag = /(?<![\p{L}\p{N}_&#/])#([\p{L}\p{N}\p{M}_]+)$/u;

/** The mention or hashtag that ends at the caret; null if there is none, or the caret is within a word. */
export function tokenAt(value: string, caret: number): Token | null {
  if (/^[\p{L}\p{N}_]/u.test(value.slice(caret, caret + 2))) return null;
  for (const [kind, expression] of [
    ["mention", mention],
    ["tag", tag],
  ] as const) {
    // With its sign and the character before that, which may be two code units.
    const before = value.slice(Math.max(0, caret - MAX_LENGTH[kind] - 3), caret);
    const text = expression.exec(before)?.[1];
    if (text !== undefined && text.length <= MAX_LENGTH[kind])
      return { kind, text, from: caret - text.length - 1, to: caret };
  }
  return null;
}

/** Replaces what was typed by a name, with a space after it. */
export function complete(value: string, { kind, from, to }: Token, name: string): Edit {
  const isSpaced = value[to] === " ";
  const insert = `${kind === "mention" ? "@" : "#"}${name}${isSpaced ? "" : " "}`;
  const caret = from + insert.length + (isSpaced ? 1 : 0);
  return { from, to, insert, selection: [caret, caret] };
}
