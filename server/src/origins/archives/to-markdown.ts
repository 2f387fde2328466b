import { limits } from "@tandem/contract/limits";
import { textParts } from "@tandem/contract/text-parts";
import { webAddress } from "../clean/address.ts";
import { textOf } from "../clean/text.ts";

const MARKUP = /[\\`*_~[\]<|]/g;
/** What begins a heading, a quote or a list at the start of a line, or is a rule. */
const BLOCK = /^([ \t]*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-{3,}|\d{1,9}(?=[.)](?:\s|$)))/gm;

/**
 * Plain text as Markdown that shows the same. Addresses and hashtags stay links; mentions don't, since they mean accounts
 * elsewhere.
 */
export function escapeMarkdown(plain: string): string {
  const parts = textParts(plain).map(({ kind, text }) => {
    if (kind === "mention") return `\\${text.replace(MARKUP, "\\$&")}`;
    return kind === "text" ? text.replace(MARKUP, "\\$&") : text;
  });
  return parts
    .join("")
    .replace(BLOCK, (_, space: string, mark: string) =>
      /^\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    );
}

/** A link; its text alone if the address isn't one of the web. */
export function markdownLink(text: string, address: unknown): string {
  const url = webAddress(address);
  const label = text.replace(/\s+/g, " ").trim();
  if (url === null || label === "") return escapeMarkdown(text);
  if (label === url) return url;
  return `[${label.replace(MARKUP, "\\$&")}](${url.replace(/[()]/g, (one) => (one === "(" ? "%28" : "%29"))})`;
}

/** Text in Markdown as the body of a post; null if it is empty. What is too long is cut. */
export function markdownBody(markdown: string): string | null {
  return textOf(markdown, limits.postBody);
}

/** Plain text as the body of a post, in Markdown. */
export function bodyOfPlain(plain: string): string | null {
  const text = textOf(plain, limits.postBody);
  if (text === null) return null;
  const escaped = escapeMarkdown(text);
  // Escapes can at most double its length.
  if ([...escaped].length <= limits.postBody) return escaped;
  return escapeMarkdown(textOf(text, limits.postBody / 2) ?? "");
}

const MENTION = /(?<![\p{L}\p{N}_.@/\\-])@(?=[A-Za-z0-9_.-]{2})/gu;

/** Markdown of another platform, in which no name means an account here. */
export const withoutMentions = (markdown: string): string => markdown.replace(MENTION, "\\@");
