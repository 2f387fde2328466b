import { parseMarkdown } from "./parse.ts";
import type { Inline } from "./tree.ts";
import { inlinesIn } from "./walk.ts";

/** The mentions of a Markdown text, separated by spaces: what is shown as one, and so nothing in code or in a link's text. */
export function mentioningText(markdown: string): string {
  return markdown.includes("@") ? [...inlinesIn(parseMarkdown(markdown))].flatMap(mentionIn).join(" ") : "";
}

function mentionIn(inline: Inline): string[] {
  return typeof inline !== "string" && inline.kind === "mention" ? [inline.text] : [];
}
