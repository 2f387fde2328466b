import { linkIn, nextPart, type TextPart } from "../text-parts.ts";
import { destinationAt } from "./destination.ts";
import { delimiterAt, emphasized, type Piece } from "./emphasis.ts";
import type { Inline, Labelled } from "./tree.ts";

/** A `[` or `![` that may begin a link. */
interface Bracket {
  /** How many pieces come before it. */
  at: number;
  /** False inside of a link, as links don't contain links. */
  isActive: boolean;
}

const SPECIAL = /[\\`*_~[\]!<]/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const AUTOLINK = /<(https?:\/\/[^\s<>]+)>/iy;

/** The markup within a paragraph: emphasis, code, links, mentions and hashtags. Takes linear time. */
export function parseInlines(text: string): Inline[] {
  return new InlineParser(text).parse();
}

class InlineParser {
  readonly #text: string;
  #at = 0;
  /** The next character that may be markup, if it isn't behind us. */
  #special = -1;
  readonly #pieces: Piece[] = [];
  readonly #brackets: Bracket[] = [];
  /** Lengths of runs of backticks that close no more code, so that they are looked for once. */
  readonly #unclosed = new Set<number>();
  #found: ReturnType<typeof nextPart>;

  constructor(text: string) {
    this.#text = text;
    this.#found = nextPart(text, 0);
  }

  parse(): Inline[] {
    while (this.#at < this.#text.length) this.#step();
    return emphasized(this.#pieces);
  }

  #step(): void {
    if (this.#found && this.#found.index < this.#at) this.#found = nextPart(this.#text, this.#at);
    const next = Math.min(this.#nextSpecial(), this.#found?.index ?? this.#text.length);
    if (next > this.#at) this.#take(next);
    else if (this.#found?.index === this.#at) this.#takeFound(this.#found.part);
    else this.#takeMarkup();
  }

  #nextSpecial(): number {
    if (this.#special < this.#at) {
      SPECIAL.lastIndex = this.#at;
      this.#special = SPECIAL.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#special;
  }

  /** Takes plain text up to a position. */
  #take(end: number): void {
    this.#pieces.push(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #takeFound({ kind, text }: TextPart): void {
    // In `[https://example.org](https://example.org)`, the first address ends at the bracket.
    const end = this.#brackets.length > 0 ? text.search(/\]\(/) : -1;
    const own = end < 0 ? { kind, text } : linkIn(text.slice(0, end));
    this.#pieces.push(own.kind === "text" ? own.text : { kind: own.kind, text: own.text });
    this.#at += own.text.length;
  }

  #takeMarkup(): void {
    const character = this.#text.charAt(this.#at);
    if (character === "\\") this.#takeEscape();
    else if (character === "`") this.#takeCode();
    else if (character === "[") this.#openBracket(1);
    else if (character === "]") this.#closeBracket();
    else if (character === "<") this.#takeAutolink();
    else if (character !== "!") this.#takeDelimiter();
    else if (this.#text[this.#at + 1] === "[") this.#openBracket(2);
    else this.#take(this.#at + 1);
  }

  #takeDelimiter(): void {
    const delimiter = delimiterAt(this.#text, this.#at);
    this.#pieces.push(delimiter);
    this.#at += delimiter.length;
  }

  #takeEscape(): void {
    const next = this.#text[this.#at + 1] ?? "";
    // Line breaks are shown anyway.
    if (PUNCTUATION.test(next) || next === "\n") this.#at += 1;
    this.#take(this.#at + 1);
  }

  #takeCode(): void {
    const run = this.#runAt(this.#at);
    const start = this.#at + run;
    const end = this.#unclosed.has(run) ? -1 : this.#endOfCode(start, run);
    if (end < 0) {
      this.#unclosed.add(run);
      this.#take(start);
      return;
    }
    const code = this.#text.slice(start, end).replaceAll("\n", " ");
    const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
    this.#pieces.push({ kind: "code", text: isPadded ? code.slice(1, -1) : code });
    this.#at = end + run;
  }

  #runAt(at: number): number {
    let end = at;
    while (this.#text[end] === "`") end += 1;
    return end - at;
  }

  #endOfCode(start: number, run: number): number {
    for (let at = this.#text.indexOf("`", start); at >= 0; ) {
      const length = this.#runAt(at);
      if (length === run) return at;
      at = this.#text.indexOf("`", at + length);
    }
    return -1;
  }

  /** A link's or picture's: pictures become links, so that nothing is fetched from elsewhere. */
  #openBracket(length: number): void {
    this.#brackets.push({ at: this.#pieces.length, isActive: true });
    this.#take(this.#at + length);
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    const destination = bracket?.isActive ? destinationAt(this.#text, this.#at + 1) : null;
    if (!bracket || !destination) {
      this.#take(this.#at + 1);
      return;
    }
    const [, ...inside] = this.#pieces.splice(bracket.at);
    const { href, title, end } = destination;
    const children = withoutLinks(emphasized(inside));
    this.#pieces.push(labelled({ kind: "labelled", href, title, children }));
    for (const outer of this.#brackets) outer.isActive = false;
    this.#at = end;
  }

  #takeAutolink(): void {
    AUTOLINK.lastIndex = this.#at;
    const [all, address] = AUTOLINK.exec(this.#text) ?? [];
    if (all && address && URL.canParse(address)) {
      this.#pieces.push({ kind: "link", text: address });
      this.#at += all.length;
    } else this.#take(this.#at + 1);
  }
}

/** A link without a text, such as a picture without a description, shows its address. */
const labelled = (link: Labelled): Inline =>
  link.children.some((child) => typeof child !== "string" || child.trim() !== "")
    ? link
    : { kind: "link", text: link.href };

/** The text of a link: addresses and names in it aren't links of their own. */
function withoutLinks(children: readonly Inline[]): Inline[] {
  return children.map((child) => {
    if (typeof child === "string" || child.kind === "code") return child;
    if ("text" in child) return child.text;
    return { ...child, children: withoutLinks(child.children) };
  });
}
