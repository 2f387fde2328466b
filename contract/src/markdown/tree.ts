/**
 * A Markdown text as a tree. It has no HTML, and no addresses but http and https ones, so nothing in it can be executed. Texts in
 * it are as readers see them, without markup.
 */
export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; start: number | null; isLoose: boolean; items: Block[][] }
  | { kind: "code"; info: string; text: string }
  /** The first row is the head. Rows may be shorter than it: filling them up would make millions of cells of a short text. */
  | { kind: "table"; align: Alignment[]; rows: Inline[][][] }
  | { kind: "rule" };

/** Line breaks in a string are shown. */
export type Inline =
  | string
  | { kind: "strong" | "emphasis" | "deleted"; children: Inline[] }
  | { kind: "code"; text: string }
  | Labelled
  | Found;

/** A link with a text of its own. */
export interface Labelled {
  kind: "labelled";
  href: string;
  title: string;
  children: Inline[];
}

/** A link, mention or hashtag that needs no markup. */
export interface Found {
  kind: "link" | "mention" | "tag";
  text: string;
}

/** Of a table's column. */
export type Alignment = "left" | "center" | "right" | null;

/** Deeper markup is text: people nest less, and readers' browsers shouldn't nest more. */
export const DEEPEST = 12;
