import type { Draft } from "@tandem/contract/drafts";

/** A short name for a draft: the beginning of its text, or its author. */
export function draftName({ title, body, displayName, before, author }: Draft): string {
  const text = title ?? body ?? displayName ?? before?.title ?? before?.body;
  return text?.slice(0, 80) ?? `@${author}`;
}
