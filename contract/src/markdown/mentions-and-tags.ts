import { parseMarkdown } from "./parse.ts";
import type { Inline } from "./tree.ts";
import { inlinesIn } from "./walk.ts";

/** The mentions of a Markdown text, separated by spaces: what is shown as one, and so nothing in code or in a link's text. */
export function mentioningText(markdown: string): string {
  return markdown.includes("@") ? partsIn(markdown, "mention").join(" ") : "";
}

/** The hashtags of a Markdown text, without `#`, in the text's order: what is shown as one. */
export function tagsIn(markdown: string): string[] {
  return markdown.includes("#") ? partsIn(markdown, "tag").map((tag) => tag.slice(1)) : [];
}

function partsIn(markdown: string, kind: "mention" | "tag"): string[] {
  const textOf = (inline: Inline) =>
    typeof inline !== "string" && inline.kind === kind && "text" in inline ? [inline.text] : [];
  return [...inlinesIn(parseMarkdown(markdown))].flatMap(textOf);
}
