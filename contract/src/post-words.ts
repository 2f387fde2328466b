import { plainText } from "@tandem/contract/markdown/plain";
import { nativePlatform } from "@tandem/contract/origins";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** The beginning of a post's text, without markup: at most `length` characters are read. Imported posts are plain text. */
export function bodyWords({ platform, body }: Pick<PostFacts, "platform" | "body">, length: number): string {
  // Not cut within a character of two code units.
  const beginning = body?.slice(0, length).replace(/[\ud800-\udbff]$/, "") ?? "";
  return platform === nativePlatform ? plainText(beginning) : beginning;
}

/** What a post is about besides its title: its content warning, which hides its text, or else that text. */
export function postWords(
  post: Pick<PostFacts, "platform" | "body" | "contentWarning">,
  length: number,
): string {
  return post.contentWarning ?? bodyWords(post, length);
}
