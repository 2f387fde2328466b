import { limits } from "@tandem/contract/limits";
import { isMutedPost, type Mutes } from "../shared/mutes.ts";
import { cursorAfter, joinParts, type NextPage, partsOf } from "./feed.queries.ts";
import type { Selection } from "./feed-query.ts";

/** Pages that are read beyond the first to replace muted posts. */
const MORE_PAGES = 6;

/**
 * A page without posts that contain muted words or tags. Muted posts are replaced by those that follow. That ends after some pages,
 * however common the words are: then the page has fewer posts, perhaps none, and its cursor continues after the last one that was read.
 *
 * @param read reads a page with these posts
 */
export async function withoutMutedTexts(
  read: (s: Selection) => Promise<NextPage>,
  selection: Selection,
  mutes: Mutes,
): Promise<NextPage> {
  const kept: string[] = [];
  const ids: number[] = [];
  const upTo = (next: number | null): NextPage => ({ posts: joinParts(kept), ids, next });
  let at = selection;
  for (let pages = 0; ; pages++) {
    const page = await read(at);
    for (const [i, post] of partsOf(page).entries()) {
      if (isMutedPost(mutes, JSON.parse(post))) continue;
      if (kept.length === selection.take) return upTo(cursorAfter(at, page.ids.slice(0, i)));
      kept.push(post);
      ids.push(page.ids[i] ?? 0);
    }
    if (page.next === null || kept.length === selection.take || pages === MORE_PAGES) return upTo(page.next);
    const from = at.hot ? { skip: page.next } : { below: page.next };
    at = { ...at, ...from, take: limits.page.max };
  }
}
