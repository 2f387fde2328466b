import { plainText } from "./markdown/plain.ts";
import { nativePlatform } from "./origins.ts";
import type { Post } from "./post-resources.ts";

/** A post as responses have it, or as it is stored, without fields that are null. */
type Texts = Pick<Post, "platform"> & Partial<Pick<Post, "body" | "contentWarning">>;

/** The beginning of a post's text, without markup: at most `length` characters are read. Imported posts are plain text. */
export function bodyWords({ platform, body }: Texts, length: number): string {
  // Not cut within a character of two code units.
  const beginning = body?.slice(0, length).replace(/[\ud800-\udbff]$/, "") ?? "";
  return platform === nativePlatform ? plainText(beginning) : beginning;
}

/** What a post is about besides its title: its content warning, which hides its text, or else that text. */
export function postWords(post: Texts, length: number): string {
  return post.contentWarning ?? bodyWords(post, length);
}
