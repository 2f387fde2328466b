/**
 * What a page says, before it is Markdown or HTML. A plain string is the service's own: what stands between backticks in
 * it is code. Whatever others wrote is never a plain string, so that both forms can show it as the data that it is.
 */
export type Inline =
  | string
  /** Words of others. */
  | { foreign: string }
  /** An address that others gave. */
  | { foreignAddress: string }
  /** A link of ours, with a text of ours. */
  | { href: string; text: string };

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; text: Inline[] }
  | { kind: "paragraph"; text: Inline[] }
  | { kind: "list"; items: Inline[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  /** Words of others, as long as they like. */
  | { kind: "quote"; text: string }
  /** What belongs together. */
  | { kind: "article"; blocks: Block[] };

export interface Page {
  /** Shown by browsers as text; may hold words of others. */
  title: string;
  blocks: Block[];
}

export const heading = (level: 1 | 2 | 3, ...text: Inline[]): Block => ({ kind: "heading", level, text });
export const paragraph = (...text: Inline[]): Block => ({ kind: "paragraph", text });
export const list = (items: Inline[][]): Block => ({ kind: "list", items });
export const table = (head: string[], rows: string[][]): Block => ({ kind: "table", head, rows });
export const quote = (text: string): Block => ({ kind: "quote", text });
export const article = (...blocks: Block[]): Block => ({ kind: "article", blocks });
