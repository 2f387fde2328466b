import { limits } from "@tandem/contract/limits";
import { isMutedPost, type Mutes } from "../shared/mutes.ts";
import { cursorAfter, joinParts, type NextPage, partsOf } from "./feed.queries.ts";
import type { Selection } from "./feed-query.ts";

/** Pages that are read beyond the first to replace muted posts. */
const MORE_PAGES = 6;
/** Milliseconds of looking at texts, after which a page ends early: meanwhile this process does nothing else. */
const LONGEST = 30;

/**
 * A page without posts that contain muted words or tags. Muted posts are replaced by those that follow. That ends after some pages,
 * however common the words are, or some time, however long the texts: then the page has fewer posts, perhaps none, and its cursor continues
 * after the last one that was looked at.
 *
 * @param read reads a page with these posts
 */
export async function withoutMutedTexts(
  read: (s: Selection) => Promise<NextPage>,
  selection: Selection,
  mutes: Mutes,
  longest = LONGEST,
): Promise<NextPage> {
  const kept: string[] = [];
  const ids: number[] = [];
  const upTo = (next: number | null): NextPage => ({ posts: joinParts(kept), ids, next });
  let at = selection;
  let spent = 0;
  for (let pages = 0; ; pages++) {
    const page = await read(at);
    for (const [i, post] of partsOf(page).entries()) {
      const begin = performance.now();
      const isMuted = isMutedPost(mutes, JSON.parse(post));
      spent += performance.now() - begin;
      if (!isMuted) {
        if (kept.length === selection.take) return upTo(cursorAfter(at, page.ids.slice(0, i)));
        kept.push(post);
        ids.push(page.ids[i] ?? 0);
      }
      const isLast = i === page.ids.length - 1;
      if (spent > longest && !isLast) return upTo(cursorAfter(at, page.ids.slice(0, i + 1)));
    }
    if (page.next === null || kept.length === selection.take || pages === MORE_PAGES || spent > longest)
      return upTo(page.next);
    const from = at.hot ? { skip: page.next } : { below: page.next };
    at = { ...at, ...from, take: limits.page.max };
  }
}
