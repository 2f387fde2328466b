import { nativePlatform } from "@tandem/contract/origins";
import type { ProductCard } from "@tandem/contract/resources";
import { postRow, searchText } from "../../features/posts/posts.queries.ts";
import { trackedUrl } from "../../features/shop/tracked.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import type { ExternalAuthors } from "./external-authors.ts";
import type { Account, Batch, Comment, Notice, Post } from "./plan.ts";
import { addTotals, tellReaders } from "./tallies.ts";
import { assignIds } from "./write-world.ts";

/** Writes a batch and updates every count that it changes. */
export async function writeBatch(tx: Db, batch: Batch, elsewhere: ExternalAuthors): Promise<void> {
  const { posts, comments, notices } = batch;
  await assignIds(tx, "posts", posts);
  await assignIds(tx, "comments", comments);
  const creators: number[] = [];
  for (const post of posts) creators.push(await creatorOf(tx, post, elsewhere));
  const rows = posts.map((post, i) => rowOf(post, creators[i] as number));
  await insertRows(tx, "posts", rows);
  await tx.engine.postSearch.add(
    tx,
    posts.map((post) => ({ id: post.id, folded: searchText(post.facts) })),
  );
  await addMarks(tx, posts);
  await addProducts(tx, posts);
  await addComments(tx, comments);
  await addNotices(tx, notices);
  await addTotals(tx, rows, posts);
  await tellReaders(tx, notices);
}

async function creatorOf(tx: Db, { by, facts }: Post, elsewhere: ExternalAuthors): Promise<number> {
  if (by) return by.creatorId;
  const { platform, author } = facts;
  if (platform === nativePlatform) throw new Error("a native post has an account");
  return elsewhere.creatorOf(tx, platform, author);
}

function rowOf(post: Post, creatorId: number) {
  const { id, facts, source, originScore, postedAt, views, comments, likes, clicks } = post;
  const seen = {
    views,
    comments,
    likes: likes.length,
    aiLikes: aiLikesIn(likes),
    clicks: clicks.reduce((sum, one) => sum + one.clicks, 0),
  };
  const shown = { ...facts, products: cards(post) };
  return {
    id,
    ...postRow({ creatorId, sourceId: source?.id ?? null, originScore, postedAt, facts: shown }, seen),
  };
}

function aiLikesIn(likes: Account[]): number {
  return likes.filter(({ isAgent }) => isAgent).length;
}

/** Product cards as the shop writes them, with tracked URLs. */
function cards({ id: postId, products }: Post): ProductCard[] {
  return products.map(({ id, title, imageUrl, price }) => ({
    id,
    title,
    imageUrl,
    price,
    url: trackedUrl(id, postId),
  }));
}

/** Likes, saves and dismissals, each in the order of its table. */
async function addMarks(tx: Db, posts: Post[]): Promise<void> {
  const pairs = (listOf: (post: Post) => Account[]) =>
    posts
      .flatMap((post) => listOf(post).map((by) => ({ user_id: by.id, post_id: post.id })))
      .sort((a, b) => a.user_id - b.user_id || a.post_id - b.post_id);
  const agents = new Set(
    posts.flatMap(({ likes }) => likes).flatMap(({ id, isAgent }) => (isAgent ? id : [])),
  );
  await insertRows(
    tx,
    "post_likes",
    pairs((post) => post.likes).map((like) => ({ ...like, by_ai: agents.has(like.user_id) ? 1 : 0 })),
  );
  await insertRows(
    tx,
    "post_saves",
    pairs((post) => post.saves),
  );
  await insertRows(
    tx,
    "dismissals",
    pairs((post) => post.dismissals),
  );
}

async function addProducts(tx: Db, posts: Post[]): Promise<void> {
  const attached = posts.flatMap(({ id, products }) =>
    products.map((product, position) => ({ post_id: id, product_id: product.id, position })),
  );
  await insertRows(tx, "post_products", attached);
  const clicks = posts.flatMap((post) =>
    post.clicks.map(({ product, day, clicks }) => ({
      product_id: product.id,
      post_id: post.id,
      day,
      clicks,
    })),
  );
  await insertRows(tx, "product_clicks", clicks);
}

async function addComments(tx: Db, comments: Comment[]): Promise<void> {
  const rows = comments.map(({ id, post, by, parent, body, isAi, at, editedAt, replies, likes }) => ({
    id,
    post_id: post.id,
    user_id: by.id,
    parent_id: parent?.id ?? null,
    body,
    is_ai: isAi ? 1 : 0,
    like_count: likes.length,
    ai_like_count: aiLikesIn(likes),
    reply_count: replies,
    deleted: 0,
    created_at: at,
    edited_at: editedAt,
  }));
  await insertRows(tx, "comments", rows);
  const liked = comments
    .flatMap(({ id, likes }) =>
      likes.map((by) => ({ user_id: by.id, comment_id: id, by_ai: by.isAgent ? 1 : 0 })),
    )
    .sort((a, b) => a.user_id - b.user_id || a.comment_id - b.comment_id);
  await insertRows(tx, "comment_likes", liked);
}

export async function addNotices(tx: Db, notices: Notice[]): Promise<void> {
  await assignIds(tx, "notifications", notices);
  const rows = notices.map(({ id, type, to, by, post, comment, at }) => ({
    id,
    user_id: to.id,
    type,
    actor_id: by.id,
    post_id: post?.id ?? null,
    comment_id: comment?.id ?? null,
    key_hint: null,
    created_at: at,
  }));
  await insertRows(tx, "notifications", rows);
}
