import type { Draft } from "@tandem/contract/drafts";
import { excerpt } from "../../posts/post-name.ts";

/** A short name for a draft, for its buttons: the beginning of its text, what it is about, or its author. */
export function draftName(draft: Draft): string {
  const { title, body, displayName, before, post, creator, community, author } = draft;
  const about = post?.title ?? post?.excerpt ?? creator?.author ?? community;
  const text = title ?? body ?? displayName ?? before?.title ?? before?.body ?? about;
  return text ? excerpt(text, 80) : `@${author}`;
}
