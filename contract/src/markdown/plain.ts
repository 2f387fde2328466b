import { parseInlines } from "./inlines.ts";
import { parseMarkdown } from "./parse.ts";
import { wordsOf, wordsOfInlines } from "./words.ts";

/** The words of a Markdown text, for where there is no markup. */
export const plainText = (markdown: string): string => wordsOf(parseMarkdown(markdown));

/** The words of a bio. */
export const plainBio = (bio: string): string => wordsOfInlines(parseInlines(bio));
