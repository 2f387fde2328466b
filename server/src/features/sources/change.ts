import { hidesMedia } from "@tandem/contract/content-warning";
import type { OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import { fromFragment, type PostFacts, toFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { hotRankSql, rankedLikes } from "../posts/hot.ts";
import { dropLinks } from "../posts/links.queries.ts";
import { isNewVersion, keepPostVersions, showsOther } from "../posts/post-versions.ts";
import { editedAt, searchText, unlessRemoved, updateSearch } from "../posts/posts.queries.ts";
import { regroup } from "../posts/story.ts";
import { countRelabelled } from "../shared/authorship.ts";
import { changePostTags } from "../tags/post-tags.ts";
import { logPosts } from "../transparency-log/append.ts";
import { dropVersions, type Editor, nextVersionSql } from "../versions/keep-versions.ts";
import { mergeFacts } from "./facts.ts";
import { storyOf } from "./story.ts";

/** The new content of an item that already has a post. */
export interface ChangedItem {
  id: number;
  key: string;
  facts: PostFacts;
  digest: string;
  /** Whether its home server takes it over from another source. */
  isTakenOver: boolean;
}

/** Updates posts to the new content of their items. What readers see as a difference is a version that the origin made. */
export async function updatePosts(
  tx: Db,
  platform: OriginPlatform,
  changes: readonly ChangedItem[],
  now: number,
): Promise<void> {
  const origin: Editor = { by: "origin", keyId: null, now };
  const before = await readAllFacts(
    tx,
    changes.map(({ id }) => id),
  );
  const after = changes.flatMap(({ id, facts, isTakenOver }) => {
    const old = before.get(id);
    return old ? [changed({ id, old, facts: mergeFacts(old, facts, isTakenOver), isTakenOver }, origin)] : [];
  });
  const edited = after.filter(({ isEdit }) => isEdit);
  await keepPostVersions(tx, idsOf(edited.filter(({ isTakenOver }) => !isTakenOver)));
  // What another server said was never a version by the author.
  const takenOver = idsOf(after.filter(({ isTakenOver }) => isTakenOver));
  if (takenOver.length > 0) await dropVersions(tx, "post", tx.engine.oneOf(takenOver));
  await rewrite(
    tx,
    after.filter(({ isEdit }) => !isEdit),
    sql``,
  );
  const versions = await rewrite(tx, edited, sql`, ${nextVersionSql(origin)}`);
  await logPosts(
    tx,
    edited.flatMap(({ id, facts }) => {
      const version = versions.get(id);
      return version === undefined ? [] : [{ id, version, facts }];
    }),
    now,
  );
  const replaced = after.map(({ id, old, facts }) => ({ id, before: old, after: facts }));
  await countRelabelled(tx, replaced);
  await changePostTags(tx, replaced);
  const changedStory = after.filter(({ old, facts }) => storyOf(old) !== storyOf(facts));
  if (changedStory.length > 0)
    await regroup(
      tx,
      changedStory.map(({ id, facts }) => ({ id, story: storyOf(facts) })),
    );
  const changedLink = after.filter(({ old, facts }) => old.url !== facts.url).map(({ id }) => id);
  if (changedLink.length > 0) await dropLinks(tx, tx.engine.oneOf(changedLink));
  await storeDigests(tx, platform, changes);
  const changedText = after.filter(({ old, facts }) => searchText(old) !== searchText(facts));
  if (changedText.length > 0) await updateSearch(tx, changedText);
}

type PostWithFacts = { id: number; facts: PostFacts };

interface MergedPost extends PostWithFacts {
  old: PostFacts;
  isTakenOver: boolean;
}

function changed(post: MergedPost, origin: Editor): MergedPost & { isEdit: boolean } {
  const { old, facts, isTakenOver } = post;
  // Readers see that the author edited it; not that its mark or its home server became known.
  const isByAuthor = !isTakenOver && showsOther(old, facts);
  return { ...post, facts: isByAuthor ? editedAt(facts, origin) : facts, isEdit: isNewVersion(old, facts) };
}

function idsOf(posts: readonly PostWithFacts[]): number[] {
  return posts.map(({ id }) => id);
}

async function readAllFacts(tx: Db, ids: number[]): Promise<Map<number, PostFacts>> {
  const { rows } = await sql<{ id: number; fragment: string }>`
    select id, fragment from posts where id in (${tx.engine.oneOf(ids)})`.execute(tx);
  return new Map(rows.map(({ id, fragment }) => [id, fromFragment(fragment)]));
}

/** Returns the posts' versions. */
async function rewrite(
  tx: Db,
  posts: readonly PostWithFacts[],
  alsoSet: RawBuilder<unknown>,
): Promise<Map<number, number>> {
  if (posts.length === 0) return new Map();
  const rows = posts.map(({ id, facts }) => ({
    post: id,
    fragment: toFragment(facts),
    media: facts.mediaType,
    provenance: facts.provenance,
    basis: facts.provenanceBasis,
    sensitive: hidesMedia(facts) ? 1 : 0,
    community: facts.community?.toLowerCase() ?? null,
  }));
  const columns = {
    post: "integer",
    fragment: "text",
    media: "text",
    provenance: "text",
    basis: "text",
    sensitive: "integer",
    community: "text",
  } as const;
  const { rows: written } = await sql<{ id: number; version: number }>`
    update posts set fragment = listed.fragment, media_type = listed.media, community_key = listed.community,
      provenance = listed.provenance, basis = listed.basis, sensitive = listed.sensitive ${alsoSet}
    from (${tx.engine.jsonRows(JSON.stringify(rows), columns)}) as listed where posts.id = listed.post
    returning posts.id, posts.version`.execute(tx);
  return new Map(written.map(({ id, version }) => [id, version]));
}

async function storeDigests(
  tx: Db,
  platform: OriginPlatform,
  changes: readonly ChangedItem[],
): Promise<void> {
  const rows = changes.map(({ key, digest }) => ({ item: key, digest }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), { item: "text", digest: "text" });
  await sql`update gathered set digest = listed.digest from (${listed}) as listed
    where gathered.platform = ${platform} and gathered.key = listed.item
      and gathered.key in (select item from (${listed}) as named)`.execute(tx);
}

/** A post's score at its origin and the JSON of its `origin`, of which at least one has changed. */
export interface ChangedOrigin {
  id: number;
  score: number;
  origin: string | null;
}

/** Sets posts' counts and pages at their origin, and the ranks that follow from the scores. */
export async function setOrigins(tx: Db, changes: readonly ChangedOrigin[]): Promise<void> {
  const rows = changes.map(({ id, score, origin }) => ({ post: id, score, origin }));
  const columns = { post: "integer", score: "integer", origin: "text" } as const;
  const rank = hotRankSql({
    score: sql`(listed.score + ${rankedLikes({ likes: sql`posts.like_count`, aiLikes: sql`posts.ai_like_count` })})`,
    comments: sql`posts.comment_count`,
    postedAt: sql`posts.posted_at`,
  });
  await sql`
    update posts set origin_score = listed.score, origin_json = listed.origin, hot_rank = ${unlessRemoved("hot_rank", rank)}
    from (${tx.engine.jsonRows(JSON.stringify(rows), columns)}) as listed
    where posts.id = listed.post`.execute(tx);
}
