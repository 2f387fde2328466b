import type { ImportPlatform } from "@tandem/contract/imports";
import { addMedium, type MediaFile } from "../../media/rows.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import { ARCHIVED_RANK } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { postCount } from "../shared/authorship.ts";
import { incrementAll } from "../shared/daily-stats.ts";
import { logPosts } from "../transparency-log/append.ts";
import { postRow, searchText } from "./posts.queries.ts";

/** A post from an export. */
export interface ArchivedPost {
  /** With `importedFrom`. */
  facts: PostFacts & { importedFrom: ImportPlatform };
  /** Milliseconds since 1970. */
  postedAt: number;
  /** Its address on that platform. */
  originUrl: string | null;
  /** Of its pictures. */
  files: readonly MediaFile[];
}

/**
 * Adds posts of an account that it published elsewhere, and returns their ids. They are in no feed, notify no one, use no hashtags and
 * don't count among the author's posts: they aren't news. The log has them as published now.
 */
export async function insertArchived(
  tx: Db,
  creatorId: number,
  posts: readonly ArchivedPost[],
  now: number,
): Promise<number[]> {
  const ids = await tx.engine.nextIds(tx, "posts", posts.length);
  const idOf = (i: number) => ids[i] as number;
  const rows = posts.map(({ facts, postedAt, originUrl }, i) => ({
    id: idOf(i),
    ...postRow({
      creatorId,
      sourceId: null,
      originScore: 0,
      origin: originUrl === null ? null : { url: originUrl, score: null, commentCount: null },
      postedAt,
      facts,
    }),
    archived: 1,
    hot_rank: ARCHIVED_RANK,
    // Leaves it out of the index of unfiltered feeds.
    story_rest: 1,
  }));
  await insertRows(tx, "posts", rows);
  for (const [i, { files }] of posts.entries())
    if (files.length > 0) await addMedium(tx, { owner: { post_id: idOf(i) }, state: "ready", files, now });
  await tx.engine.postSearch.add(
    tx,
    posts.map(({ facts }, i) => ({ id: idOf(i), folded: searchText(facts) })),
  );
  await incrementAll(
    tx,
    posts.map(({ facts, postedAt }) => ({ what: postCount(facts), at: postedAt })),
  );
  const logged = posts.map(({ facts }, i) => ({ id: idOf(i), version: 1, facts, operator: null }));
  await logPosts(tx, logged, now);
  return ids;
}
