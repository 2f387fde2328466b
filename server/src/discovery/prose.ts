/**
 * The content of a page, which is rendered as Markdown or HTML. A plain string is the service's own text, with code between
 * backticks. User text is never a plain string, so that both renderers can treat it as data.
 */
export type Inline =
  | string
  /** User text. */
  | { foreign: string }
  /** A URL from a user. */
  | { foreignAddress: string }
  /** The service's own link and text. */
  | { href: string; text: string };

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; text: Inline[] }
  | { kind: "paragraph"; text: Inline[] }
  | { kind: "list"; items: Inline[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  /** User text of any length. */
  | { kind: "quote"; text: string }
  /** Groups blocks. */
  | { kind: "article"; blocks: Block[] };

export interface Page {
  /** Plain text; may contain user text. */
  title: string;
  blocks: Block[];
}

export const heading = (level: 1 | 2 | 3, ...text: Inline[]): Block => ({ kind: "heading", level, text });
export const paragraph = (...text: Inline[]): Block => ({ kind: "paragraph", text });
export const list = (items: Inline[][]): Block => ({ kind: "list", items });
export const table = (head: string[], rows: string[][]): Block => ({ kind: "table", head, rows });
export const quote = (text: string): Block => ({ kind: "quote", text });
export const article = (...blocks: Block[]): Block => ({ kind: "article", blocks });
