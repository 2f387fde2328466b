import type { ProductCard } from "@tandem/contract/post-resources";
import { type RawBuilder, sql } from "kysely";
import { fromFragment, type PostFacts, toFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { isNewVersion, keepPostVersions } from "../posts/post-versions.ts";
import { editedAt, unlessRemoved } from "../posts/posts.queries.ts";
import { requestMarks } from "../posts/request-marks.ts";
import { countRelabelled, stamped } from "../shared/authorship.ts";
import { logPosts, type PostVersion } from "../transparency-log/append.ts";
import { type Editor, nextVersionSql } from "../versions/keep-versions.ts";
import { trackedUrl } from "./tracked.ts";

/** Posts per update statement. */
const BATCH = 100;

/** An edit of posts' cards, as their versions name it. `stamps`: it makes the posts AI content. */
export interface CardEdit {
  editor: Editor;
  stamps: boolean;
}

/**
 * Rewrites the product cards in the fragments of posts after their products changed. `posts` is an id or a query of ids.
 * With an edit, a post in which its provenance or the list of products changes gets a version.
 */
export async function refreshCards(tx: Db, posts: RawBuilder<number>, edit?: CardEdit): Promise<void> {
  // Locked, because whole fragments are written back: a concurrent edit and its provenance must not be lost.
  const lock = tx.engine.rowLocks ? sql`for update` : sql``;
  const { rows } = await sql<{ id: number; fragment: string }>`
    select id, fragment from posts where id in (${posts}) order by id ${lock}
  `.execute(tx);
  const cards = await cardsOf(tx, posts);
  const rewritten = rows.map(({ id, fragment }) => {
    const before = fromFragment(fragment);
    const after = {
      ...before,
      products: cards.get(id) ?? [],
      ...(edit?.stamps && stamped),
    };
    return { id, before, facts: after, isEdit: edit !== undefined && isNewVersion(before, after) };
  });
  await writeAll(
    tx,
    rewritten.filter(({ isEdit }) => !isEdit),
    sql``,
  );
  if (edit === undefined) return;
  const { editor } = edit;
  const edited = rewritten.flatMap(({ id, before, facts, isEdit }) =>
    isEdit ? [{ id, before, facts: editedAt(facts, editor) }] : [],
  );
  await keepPostVersions(
    tx,
    edited.map(({ id }) => id),
  );
  await logPosts(tx, await writeAll(tx, edited, sql`, ${nextVersionSql(editor)}`), editor.now);
  await countRelabelled(
    tx,
    edited.map(({ before, facts }) => ({ before, after: facts })),
  );
}

type RewrittenPost = { id: number; facts: PostFacts };

async function writeAll(
  tx: Db,
  posts: RewrittenPost[],
  alsoSet: RawBuilder<unknown>,
): Promise<PostVersion[]> {
  const versions = new Map<number, number>();
  for (let at = 0; at < posts.length; at += BATCH)
    for (const { id, version } of await write(tx, posts.slice(at, at + BATCH), alsoSet))
      versions.set(id, version);
  return posts.flatMap(({ id, facts }) => {
    const version = versions.get(id);
    return version === undefined ? [] : [{ id, version, facts }];
  });
}

async function write(
  tx: Db,
  posts: RewrittenPost[],
  alsoSet: RawBuilder<unknown>,
): Promise<{ id: number; version: number }[]> {
  const values = posts.map(
    ({ id, facts }) =>
      sql`(cast(${id} as bigint), cast(${toFragment(facts)} as text), cast(${facts.provenance} as text), cast(${facts.provenanceBasis} as text))`,
  );
  await requestMarks(tx, posts);
  // Both engines name the columns of `values` column1, column2, ….
  const { rows } = await sql<{ id: number; version: number }>`
    update posts set fragment = rewritten.column2, basis = rewritten.column4,
      provenance = ${unlessRemoved("provenance", sql`rewritten.column3`)} ${alsoSet}
    from (values ${sql.join(values)}) as rewritten where posts.id = rewritten.column1
    returning posts.id, posts.version
  `.execute(tx);
  return rows;
}

interface CardRow {
  post: number;
  id: number;
  title: string;
  image_url: string | null;
  price: string | null;
  is_ai: number;
}

/** The cards of these posts, in order. Posts without cards have no entry. */
async function cardsOf(tx: Db, posts: RawBuilder<number>): Promise<Map<number, ProductCard[]>> {
  const { rows } = await sql<CardRow>`
    select a.post_id as post, p.id, p.title, p.image_url, p.price, p.is_ai
    from post_products a join products p on p.id = a.product_id
    where a.post_id in (${posts}) order by a.post_id, a.position, a.product_id
  `.execute(tx);
  const cards = new Map<number, ProductCard[]>();
  for (const { post, id, title, image_url, price, is_ai } of rows) {
    const card: ProductCard = {
      id,
      title,
      imageUrl: image_url,
      price: price === null ? null : JSON.parse(price),
      // Posts never show the raw URL, so that clicks are counted.
      url: trackedUrl(id, post),
      isAiGenerated: is_ai === 1,
    };
    const postCards = cards.get(post);
    if (postCards) postCards.push(card);
    else cards.set(post, [card]);
  }
  return cards;
}
