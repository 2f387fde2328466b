import { limits } from "@tandem/contract/limits";
import { Lru } from "../../storage/lru.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import type { MutableText } from "../shared/muted-text.ts";
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

/** A post in which muted words and tags are looked for. */
interface Look {
  facts: PostFacts;
  texts: readonly MutableText[];
  /** Characters of the texts. */
  length: number;
}

/**
 * Posts that were looked at last, by their ids: readers who mute words mostly read the same ones. Only the same JSON is the same post: edits
 * and a reader's marks change it.
 */
const recent = new Lru<number, Look & { json: string }>(1_000);
/** The most characters of a post's JSON, and of its folded texts, with which it is kept. So all together take about 20 MB at most. */
const MOST_KEPT = 3_000;

function lookAt(post: string, id: number): Look {
  const known = recent.find(id);
  if (known?.json === post) return known;
  // A copy, because a part of a page's JSON would keep all of it in memory.
  const json = Buffer.from(post).toString();
  const facts: PostFacts = JSON.parse(json);
  const texts = textsOf(facts);
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const look = { json, facts, texts, length };
  if (json.length > MOST_KEPT) return look;
  // A character can become eighteen.
  const folded = texts.reduce((sum, text) => sum + text.folded.length, 0);
  return folded <= MOST_KEPT ? recent.set(id, look) : look;
}

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
      const { facts, texts, length } = lookAt(post, page.ids[i] ?? 0);
      characters += length;
      if (!isMutedPost(mutes, facts, texts)) {
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
