import { codeBlock, codeSpan, markdownList, markdownTable } from "./markdown.ts";
import type { Block, Inline, Page } from "./prose.ts";

/** Renders a page for programs. */
export function toMarkdown({ blocks }: Page): string {
  return `${blocks.map(renderBlock).join("\n\n")}\n`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${renderInlines(block.text)}`;
    case "paragraph":
      return renderInlines(block.text);
    case "list":
      return markdownList(block.items.map(renderInlines));
    case "table":
      return markdownTable(block.head, block.rows);
    case "quote":
      return codeBlock(block.text);
    case "article":
      return block.blocks.map(renderBlock).join("\n\n");
  }
}

function renderInlines(text: Inline[]): string {
  return text.map(renderInline).join("");
}

function renderInline(part: Inline): string {
  if (typeof part === "string") return part;
  if ("foreign" in part) return codeSpan(part.foreign);
  if ("foreignAddress" in part) return codeSpan(part.foreignAddress);
  return `[${part.text}](${part.href})`;
}
