import { DEEPEST, type Inline } from "./tree.ts";

/** A run of `*`, `_` or `~` that may begin or end emphasis. */
export interface Delimiter {
  mark: string;
  /** How many of it aren't used yet. */
  count: number;
  length: number;
  canOpen: boolean;
  canClose: boolean;
}

export type Piece = Inline | Delimiter;

const isDelimiter = (piece: Piece): piece is Delimiter => typeof piece !== "string" && "mark" in piece;

/** The run of delimiters at a position, by CommonMark's rules on what it is next to. */
export function delimiterAt(text: string, at: number): Delimiter {
  const mark = text.charAt(at);
  let end = at + 1;
  while (text[end] === mark) end += 1;
  const before = classOf(characterBefore(text, at));
  const after = classOf(String.fromCodePoint(text.codePointAt(end) ?? 32));
  const isLeft = after !== "space" && (after === "word" || before !== "word");
  const isRight = before !== "space" && (before === "word" || after !== "word");
  const length = end - at;
  // A single tilde is an approximation.
  const isMarkup = mark !== "~" || length === 2;
  // Underscores inside words are part of them.
  const canOpen = isMarkup && isLeft && (mark !== "_" || !isRight || before === "punctuation");
  const canClose = isMarkup && isRight && (mark !== "_" || !isLeft || after === "punctuation");
  return { mark, count: length, length, canOpen, canClose };
}

function characterBefore(text: string, at: number): string {
  const isPair = at > 1 && /[\uDC00-\uDFFF]/.test(text.charAt(at - 1));
  return text.slice(at - (isPair ? 2 : 1), at) || " ";
}

function classOf(character: string): "space" | "punctuation" | "word" {
  if (/\s/u.test(character)) return "space";
  return /[\p{P}\p{S}]/u.test(character) ? "punctuation" : "word";
}

interface Opener extends Delimiter {
  /** Its place among the pieces. */
  at: number;
}

/** Turns delimiters into emphasis, or text. CommonMark's algorithm; takes linear time. */
export function emphasized(pieces: readonly Piece[]): Inline[] {
  const done: Piece[] = [];
  const openers: Opener[] = [];
  // For each kind of delimiter, how many openers are known not to match it.
  const unmatched = new Map<string, number>();
  for (const piece of pieces) {
    if (!isDelimiter(piece)) {
      done.push(piece);
      continue;
    }
    const closer = { ...piece };
    if (closer.canClose) closeAll(closer, done, openers, unmatched);
    if (closer.count === 0) continue;
    if (closer.canOpen) openers.push(Object.assign(closer, { at: done.length }));
    done.push(closer);
  }
  return joined(done);
}

function closeAll(closer: Delimiter, done: Piece[], openers: Opener[], unmatched: Map<string, number>): void {
  const kind = `${closer.mark}${closer.canOpen}${closer.length % 3}`;
  while (closer.count > 0) {
    const lowest = unmatched.get(kind) ?? 0;
    let i = openers.length - 1;
    while (i >= lowest && !matches(openers[i], closer)) i -= 1;
    const opener = openers[i];
    if (i < lowest || !opener) {
      unmatched.set(kind, openers.length);
      return;
    }
    openers.length = i + 1;
    wrap(opener, closer, done);
    if (opener.count === 0) openers.pop();
    for (const [other, least] of unmatched) unmatched.set(other, Math.min(least, openers.length));
  }
}

function matches(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener?.mark !== closer.mark) return false;
  const isOdd = (opener.canClose || closer.canOpen) && (opener.length + closer.length) % 3 === 0;
  return !isOdd || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

/** Emphasizes what is after the opener. */
function wrap(opener: Opener, closer: Delimiter, done: Piece[]): void {
  const isDouble = opener.count > 1 && closer.count > 1;
  const children = joined(done.splice(opener.at + 1));
  const kind = opener.mark === "~" ? "deleted" : isDouble ? "strong" : "emphasis";
  opener.count -= isDouble ? 2 : 1;
  closer.count -= isDouble ? 2 : 1;
  if (opener.count === 0) done.pop();
  if (depthOf(children) < DEEPEST) done.push(deepen({ kind, children }));
  else done.push(...joined([markOf(opener, isDouble), ...children, markOf(opener, isDouble)]));
}

const markOf = ({ mark }: Delimiter, isDouble: boolean) => (isDouble ? mark + mark : mark);

const depths = new WeakMap<object, number>();

function depthOf(children: readonly Inline[]): number {
  return children.reduce(
    (most, child) => Math.max(most, typeof child === "string" ? 0 : (depths.get(child) ?? 0)),
    0,
  );
}

function deepen<T extends Inline & { children: Inline[] }>(node: T): T {
  depths.set(node, depthOf(node.children) + 1);
  return node;
}

/** Without delimiters that are left, and with adjacent strings as one. */
export function joined(pieces: readonly Piece[]): Inline[] {
  const all: Inline[] = [];
  for (const piece of pieces) {
    const one = isDelimiter(piece) ? piece.mark.repeat(piece.count) : piece;
    const last = all.at(-1);
    if (typeof one === "string" && typeof last === "string") all[all.length - 1] = last + one;
    else if (one !== "") all.push(one);
  }
  return all;
}
