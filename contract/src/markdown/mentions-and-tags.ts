import { parseMarkdown } from "./parse.ts";
import type { Inline } from "./tree.ts";
import { inlinesIn } from "./walk.ts";

/** The mentions that a Markdown text shows, separated by spaces. Code and the texts of links show none. */
export function mentioningText(markdown: string): string {
  return markdown.includes("@") ? partsIn(markdown, "mention").join(" ") : "";
}

/** The hashtags that a Markdown text shows, in their order, without `#`. Code and the texts of links show none. */
export function tagsIn(markdown: string): string[] {
  return markdown.includes("#") ? partsIn(markdown, "tag").map((tag) => tag.slice(1)) : [];
}

function partsIn(markdown: string, kind: "mention" | "tag"): string[] {
  const textOf = (inline: Inline) =>
    typeof inline !== "string" && inline.kind === kind && "text" in inline ? [inline.text] : [];
  return [...inlinesIn(parseMarkdown(markdown))].flatMap(textOf);
}
