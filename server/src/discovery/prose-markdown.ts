import { codeBlock, codeSpan, markdownList, markdownTable } from "./markdown.ts";
import type { Block, Inline, Page } from "./prose.ts";

/** Renders a page for programs. */
export function toMarkdown({ blocks }: Page): string {
  return `${blocks.map(block).join("\n\n")}\n`;
}

function block(one: Block): string {
  switch (one.kind) {
    case "heading":
      return `${"#".repeat(one.level)} ${inlines(one.text)}`;
    case "paragraph":
      return inlines(one.text);
    case "list":
      return markdownList(one.items.map(inlines));
    case "table":
      return markdownTable(one.head, one.rows);
    case "quote":
      return codeBlock(one.text);
    case "article":
      return one.blocks.map(block).join("\n\n");
  }
}

function inlines(text: Inline[]): string {
  return text.map(inline).join("");
}

function inline(one: Inline): string {
  if (typeof one === "string") return one;
  if ("foreign" in one) return codeSpan(one.foreign);
  if ("foreignAddress" in one) return codeSpan(one.foreignAddress);
  return `[${one.text}](${one.href})`;
}
