import { parseMarkdown } from "./parse.ts";
import type { Block, Inline } from "./tree.ts";
import { wordsOfInlines } from "./words.ts";

/** How much of a text to show, in code points and lines. */
export interface Extent {
  characters: number;
  lines: number;
}

export interface Beginning {
  blocks: Block[];
  /** Whether more follows. */
  isCut: boolean;
}

/** The beginning of a Markdown text. It ends between words, and never inside a link, mention or hashtag. */
export function beginningOf(text: string, extent: Extent): Beginning {
  // Blocks far beyond the end aren't parsed.
  const end = text.indexOf("\n\n", 4 * extent.characters);
  const blocks = parseMarkdown(end < 0 ? text : text.slice(0, end));
  const cutter = new Cutter(extent);
  const kept = cutter.blocks(blocks);
  return { blocks: kept, isCut: cutter.isCut || (end >= 0 && text.slice(end).trim() !== "") };
}

/** A longer word is cut off. In code points. */
const LONGEST_WORD = 40;

class Cutter {
  #characters: number;
  #lines: number;
  isCut = false;

  constructor({ characters, lines }: Extent) {
    this.#characters = characters;
    this.#lines = lines;
  }

  blocks(blocks: readonly Block[]): Block[] {
    return this.#whileRoom(blocks, (block) => this.#block(block)).flat();
  }

  /** Keeps items until one is cut. Each of them begins a line. */
  #whileRoom<T, U>(items: readonly T[], keep: (item: T) => U | null): U[] {
    const kept: U[] = [];
    for (const item of items) {
      if (this.isCut) break;
      if (this.#characters <= 0 || this.#lines <= 0) this.isCut = true;
      const one = this.isCut ? null : keep(item);
      if (one !== null) kept.push(one);
    }
    return kept;
  }

  #block(block: Block): Block | null {
    switch (block.kind) {
      case "quote": {
        const children = this.#atLeastOneLine(() => this.blocks(block.children));
        return children.length === 0 && this.isCut ? null : { ...block, children };
      }
      case "list": {
        const items = this.#whileRoom(block.items, (item) => this.#atLeastOneLine(() => this.blocks(item)));
        return { ...block, items };
      }
      case "table": {
        const rows = this.#whileRoom(block.rows, (row) => this.#row(row));
        return rows.length === 0 ? null : { ...block, rows };
      }
      case "code": {
        const info = this.#text(block.info);
        const text = this.isCut ? "" : this.#text(block.text);
        this.#lines -= 1;
        return { ...block, info, text };
      }
      case "rule":
        this.#lines -= 1;
        return block;
      default: {
        const children = this.inlines(block.children);
        this.#lines -= 1;
        return children.length === 0 && this.isCut ? null : { ...block, children };
      }
    }
  }

  /** Empty ones take a line, too. */
  #atLeastOneLine<T>(keep: () => T): T {
    const before = this.#lines;
    const kept = keep();
    this.#lines = Math.min(this.#lines, before - 1);
    return kept;
  }

  /** A row is shown whole or not at all, or the columns wouldn't match. */
  #row(row: Inline[][]): Inline[][] | null {
    this.#lines -= 1;
    this.#characters -= [...row.map(wordsOfInlines).join(" ")].length;
    this.isCut = this.#characters < 0;
    return this.isCut ? null : row;
  }

  inlines(children: readonly Inline[]): Inline[] {
    const kept: Inline[] = [];
    for (const child of children) {
      if (this.isCut) break;
      const one = this.#inline(child);
      if (one !== null && one !== "") kept.push(one);
    }
    return this.isCut ? withoutEndingSpace(kept) : kept;
  }

  #inline(inline: Inline): Inline | null {
    if (typeof inline === "string") return this.#text(inline);
    if ("children" in inline && inline.kind !== "labelled") {
      const children = this.inlines(inline.children);
      return children.length === 0 ? null : { ...inline, children };
    }
    const words = "text" in inline ? inline.text : wordsOfInlines(inline.children);
    this.#characters -= [...words].length;
    this.isCut = this.#characters < 0;
    return this.isCut ? null : inline;
  }

  /** Ends between words. */
  #text(text: string): string {
    const lines = text.split("\n");
    const shown = lines.slice(0, this.#lines).join("\n");
    const all = [...shown];
    const room = this.#characters;
    this.#characters -= all.length;
    this.#lines -= lines.length - 1;
    this.isCut = all.length > room || shown.length < text.length;
    if (all.length <= room) return shown;
    const space = all.slice(0, room + 1).findLastIndex((one) => /\s/.test(one));
    return all.slice(0, space >= 0 && room - space < LONGEST_WORD ? space : room).join("");
  }
}

function withoutEndingSpace(children: readonly Inline[]): Inline[] {
  const last = children.at(-1);
  if (typeof last !== "string") return [...children];
  const text = last.trimEnd();
  return [...children.slice(0, -1), ...(text === "" ? [] : [text])];
}
