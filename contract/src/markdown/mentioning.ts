import { parseMarkdown } from "./parse.ts";
import type { Inline } from "./tree.ts";
import { inlinesIn } from "./walk.ts";

/** The words of a Markdown text in which a name after an `@` mentions someone: not those of code. */
export function mentioningText(markdown: string): string {
  return markdown.includes("@") ? [...inlinesIn(parseMarkdown(markdown))].map(textIn).join("") : "";
}

function textIn(inline: Inline): string {
  if (typeof inline === "string") return inline;
  if (inline.kind === "code") return "`";
  return "text" in inline ? inline.text : "";
}
