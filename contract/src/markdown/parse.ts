import { parseBlocks } from "./blocks.ts";
import type { Block } from "./tree.ts";

/**
 * Parses Markdown: CommonMark with GitHub's tables and strikethrough, without HTML. Line breaks are kept. Whatever isn't markup that we
 * support is text, so that nothing disappears that someone wrote.
 */
export const parseMarkdown = (text: string): Block[] => parseBlocks(text.split(/\r\n?|\n/));
