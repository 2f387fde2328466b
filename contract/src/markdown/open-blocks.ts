import { parseInlines } from "./inlines.ts";
import { alignmentsOf, cellsOf } from "./table.ts";
import { type Block, DEEPEST } from "./tree.ts";

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** A block that contains others. */
export type Container =
  | { kind: "document" | "quote"; children: Block[] }
  /** `width` is how far its text is indented. */
  | { kind: "item"; children: Block[]; list: BlockOf<"list">; width: number };

/** A block that more lines may belong to. */
type Leaf =
  | { kind: "paragraph"; block: BlockOf<"paragraph">; lines: string[] }
  | { kind: "code"; block: BlockOf<"code">; lines: string[]; fence: string; indent: number }
  | { kind: "table"; block: BlockOf<"table"> };

/** The blocks that the next line may continue: containers from the outermost in, and what is at the end of the last one. */
export class OpenBlocks {
  readonly containers: Container[] = [{ kind: "document", children: [] }];
  leaf: Leaf | null = null;
  /** Whether the last line was blank. Blank lines between blocks make a list loose. */
  isAfterBlank = false;
  /** What begins the items of a list. */
  readonly #markers = new WeakMap<Block, string>();

  get isDeepest(): boolean {
    return this.containers.length > DEEPEST;
  }

  /** Closes all but the first `count` containers. */
  closeTo(count: number): void {
    this.closeLeaf();
    this.containers.length = count;
  }

  closeLeaf(): void {
    const { leaf } = this;
    if (leaf?.kind === "paragraph") leaf.block.children = parseInlines(leaf.lines.join("\n"));
    if (leaf?.kind === "code") leaf.block.text = leaf.lines.join("\n");
    this.leaf = null;
  }

  add(block: Block): void {
    const container = this.#innermost();
    if (container.kind === "item" && container.children.length > 0 && this.isAfterBlank)
      container.list.isLoose = true;
    container.children.push(block);
  }

  #innermost(): Container {
    const container = this.containers.at(-1);
    if (!container) throw new Error("The document is always open.");
    return container;
  }

  openQuote(): void {
    const quote = { kind: "quote" as const, children: [] };
    this.add(quote);
    this.containers.push(quote);
  }

  /** Begins an item of the list that comes before it, if that has the same marker, or of a new one. */
  openItem(marker: string, start: number | null, width: number): void {
    const list = this.#listBefore(marker) ?? this.#newList(marker, start);
    const children: Block[] = [];
    list.items.push(children);
    this.containers.push({ kind: "item", children, list, width });
  }

  #listBefore(marker: string): BlockOf<"list"> | null {
    const list = this.#innermost().children.at(-1);
    if (list?.kind !== "list" || this.#markers.get(list) !== marker) return null;
    if (this.isAfterBlank) list.isLoose = true;
    return list;
  }

  #newList(marker: string, start: number | null): BlockOf<"list"> {
    const list: BlockOf<"list"> = { kind: "list", start, isLoose: false, items: [] };
    this.#markers.set(list, marker);
    this.add(list);
    return list;
  }

  openParagraph(line: string): void {
    const block: BlockOf<"paragraph"> = { kind: "paragraph", children: [] };
    this.add(block);
    this.leaf = { kind: "paragraph", block, lines: [line] };
  }

  openCode(fence: string, info: string, indent: number): void {
    const block: BlockOf<"code"> = { kind: "code", info, text: "" };
    this.add(block);
    this.leaf = { kind: "code", block, lines: [], fence, indent };
  }

  /** Makes the paragraph's last line the head of a table, if this line is the rule below one. */
  openTable(rule: string): boolean {
    const { leaf } = this;
    if (leaf?.kind !== "paragraph") return false;
    const head = leaf.lines.at(-1) ?? "";
    const align = alignmentsOf(rule, head);
    if (!align) return false;
    leaf.lines.pop();
    if (leaf.lines.length === 0) this.#innermost().children.pop();
    this.closeLeaf();
    const block: BlockOf<"table"> = { kind: "table", align, rows: [] };
    this.#innermost().children.push(block);
    this.leaf = { kind: "table", block };
    this.addRow(head);
    return true;
  }

  addRow(line: string): void {
    if (this.leaf?.kind !== "table") return;
    const { align, rows } = this.leaf.block;
    const cells = cellsOf(line);
    // What has no column is in the last one, so that nothing disappears.
    const last = align.length - 1;
    const shown = cells.length > last ? [...cells.slice(0, last), cells.slice(last).join(" | ")] : cells;
    rows.push(shown.map(parseInlines));
  }
}
