import { limits } from "@tandem/contract/limits";
import type { PostFacts } from "../../storage/post-fragment.ts";
import { isMutedPost, type Mutes, textsOf } from "../shared/mutes.ts";
import { cursorAfter, type NextPage, partsOf } from "./feed.queries.ts";
import type { Selection } from "./feed-query.ts";

/** Pages that are read beyond the first to replace muted posts. */
const MORE_PAGES = 6;
/**
 * Characters of texts, after which a page ends early: looking at them takes up to about 30 ms, in which this process does nothing else.
 * Not a time, so that the same page has the same posts on a busy machine, too.
 */
const MOST_CHARACTERS = 100_000;

/**
 * A page without posts that contain muted words or tags. Muted posts are replaced by those that follow. That ends after some pages,
 * however common the words are, and however long the texts: then the page has fewer posts, perhaps none, and its cursor continues
 * after the last one that was looked at.
 *
 * @param read reads a page with these posts
 */
export async function withoutMutedTexts(
  read: (s: Selection) => Promise<NextPage>,
  selection: Selection,
  mutes: Mutes,
  mostCharacters = MOST_CHARACTERS,
): Promise<NextPage> {
  const kept: string[] = [];
  const ids: number[] = [];
  const upTo = (next: number | null): NextPage => ({ posts: kept, ids, next });
  let at = selection;
  let characters = 0;
  for (let pages = 0; ; pages++) {
    const page = await read(at);
    for (const [i, post] of partsOf(page).entries()) {
      const facts: PostFacts = JSON.parse(post);
      for (const text of textsOf(facts)) characters += text?.length ?? 0;
      if (!isMutedPost(mutes, facts)) {
        if (kept.length === selection.take) return upTo(cursorAfter(at, page.ids.slice(0, i)));
        kept.push(post);
        ids.push(page.ids[i] ?? 0);
      }
      const isLast = i === page.ids.length - 1;
      if (characters > mostCharacters && !isLast) return upTo(cursorAfter(at, page.ids.slice(0, i + 1)));
    }
    const isFull = kept.length === selection.take;
    if (page.next === null || isFull || pages === MORE_PAGES || characters > mostCharacters)
      return upTo(page.next);
    const from = at.hot ? { skip: page.next } : { below: page.next };
    at = { ...at, ...from, take: limits.page.max };
  }
}
