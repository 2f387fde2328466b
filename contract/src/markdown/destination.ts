/** What follows a link's text: `(address "title")`. */
export interface Destination {
  href: string;
  title: string;
  /** Where it ends. */
  end: number;
}

const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const SPACE = /[ \t]*(?:\n[ \t]*)?/y;
const ANGLED = /<((?:[^<>\n\\]|\\.)*)>/y;
const CHARACTER = "[^\\s\\\\()\\p{Cc}]|\\\\[^\\s\\p{Cc}]";
/** Parentheses may be nested two deep. Longer addresses than these aren't links anywhere. */
const BARE = new RegExp(
  `(?!<)(?:${CHARACTER}|\\((?:${CHARACTER}|\\((?:${CHARACTER}){0,2048}\\)){0,2048}\\)){1,2048}`,
  "uy",
);
const TITLE = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\)/sy;

/** Without the backslashes that keep punctuation from being markup. */
export const unescaped = (text: string): string => text.replace(ESCAPE, "$1");

/** Parses what is between parentheses after a link's text. Null unless it is the address of a page on the web. */
export function destinationAt(text: string, open: number): Destination | null {
  if (text[open] !== "(") return null;
  const start = after(SPACE, text, open + 1);
  const [address, end] = text[start] === "<" ? part(ANGLED, text, start) : part(BARE, text, start);
  if (address === null) return null;
  const space = after(SPACE, text, end);
  const [title, close] = space > end ? part(TITLE, text, space) : [null, end];
  const last = after(SPACE, text, close);
  if (text[last] !== ")") return null;
  const href = webAddress(unescaped(address));
  return href === null ? null : { href, title: unescaped(title ?? ""), end: last + 1 };
}

/** An http or https address as browsers read it, or null. */
function webAddress(address: string): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  return new URL(address).href;
}

/** What a pattern captures, and where it ends; null and the same place if it doesn't match there. */
function part(pattern: RegExp, text: string, at: number): [string | null, number] {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return [null, at];
  const [all, ...captured] = match;
  return [captured.find((one) => one !== undefined) ?? all, at + all.length];
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
