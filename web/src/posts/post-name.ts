import type { Post } from "@tandem/contract/post-resources";
import { bodyWords } from "@tandem/contract/post-words";
import { useText } from "../i18n/use-text.tsx";
import { fullNameOf } from "../shared/full-name.ts";

type NamedPost = Pick<Post, "title" | "body" | "contentWarning" | "platform">;

/** How much of a text its beginning is taken from: markup takes space. */
const READ = 1000;

/** A post's title, or else its content warning or the beginning of its text; null if it has none of these. */
export const postName = (post: NamedPost): string | null =>
  post.title ?? post.contentWarning ?? (post.body ? excerpt(bodyWords(post, READ), 80) : null);

/** The same, or whose post it is. */
export function usePostName(post: NamedPost & Pick<Post, "author" | "authorName">): string {
  const { t } = useText();
  return (
    postName(post) ?? t("card.untitled", { author: fullNameOf({ ...post, displayName: post.authorName }) })
  );
}

/**
 * The first `length` characters on one line, with an ellipsis. Counts code points, so that none is cut in
 * half.
 */
export function excerpt(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}
