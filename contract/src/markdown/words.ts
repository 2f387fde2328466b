import type { Block, Inline } from "./tree.ts";

/** The words of a text without markup, as readers see them. */
export function wordsOf(blocks: readonly Block[]): string {
  return blocks.map(wordsOfBlock).join("\n");
}

function wordsOfBlock(block: Block): string {
  switch (block.kind) {
    case "quote":
      return wordsOf(block.children);
    case "list":
      return block.items.map(wordsOf).join("\n");
    case "table":
      return block.rows.map((row) => row.map(wordsOfInlines).join(" ")).join("\n");
    case "code":
      return block.text;
    case "rule":
      return "";
    default:
      return wordsOfInlines(block.children);
  }
}

export function wordsOfInlines(children: readonly Inline[]): string {
  return children
    .map((child) => {
      if (typeof child === "string") return child;
      return "children" in child ? wordsOfInlines(child.children) : child.text;
    })
    .join("");
}
