import { nativePlatform } from "@tandem/contract/origins";
import type { ProductCard } from "@tandem/contract/post-resources";
import { beforeEdit } from "@tandem/seed/before-edit";
import type { Account, Batch, Clicks, Comment, Notification, PollVote, Post } from "@tandem/seed/model";
import { firstVersion as firstCommentVersion } from "../../features/comments/comment-versions.ts";
import { contentOf, firstVersion } from "../../features/posts/post-versions.ts";
import { postRow, searchText } from "../../features/posts/posts.queries.ts";
import { trackedUrl } from "../../features/shop/tracked.ts";
import { TRENDING_TIME } from "../../features/tags/count-tags.ts";
import { addPostTags } from "../../features/tags/post-tags.ts";
import { tagKey, tagsOfPost } from "../../features/tags/tag-uses.ts";
import { keepVersions } from "../../features/versions/keep-versions.ts";
import { insertRows } from "../../storage/bulk.ts";
import { type PostFacts, postDefaults } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { addToCreators, updateReadStates } from "./counters.ts";
import type { ExternalAuthors } from "./external-authors.ts";
import { assignIds } from "./ids.ts";

/**
 * Writes a batch, and updates every counter that it changes. Inserts many rows per statement, unlike the features, because
 * benchmarks seed a million posts.
 */
export async function writeBatch(
  tx: Db,
  batch: Batch,
  { externalAuthors, end }: { externalAuthors: ExternalAuthors; end: number },
): Promise<void> {
  const { posts, comments, notifications } = batch;
  await assignIds(tx, "posts", posts);
  await assignIds(tx, "comments", comments);
  const rows = [];
  for (const post of posts) rows.push(rowOf(post, await creatorOf(tx, post, externalAuthors)));
  await insertRows(tx, "posts", rows);
  await tx.engine.postSearch.add(
    tx,
    posts.map((post) => ({ id: post.id, folded: searchText(post.facts) })),
  );
  await addPostTags(
    tx,
    posts.map((post) => ({ id: post.id, facts: factsOf(post) })),
  );
  await addMarks(tx, posts);
  await addReposts(tx, posts);
  await addPolls(tx, posts);
  await addTagUses(tx, posts, end - TRENDING_TIME);
  await addProductCards(tx, posts);
  await addComments(tx, comments);
  await addVersions(tx, posts, comments);
  await addNotifications(tx, notifications);
  const clicks = posts.flatMap((post) => post.clicks);
  await addToCreators(tx, rows, clicks);
  await addToSources(tx, posts);
  await addToCommunities(tx, posts);
}

/** Their ids are those of posts, in the order of time. */
async function addReposts(tx: Db, posts: readonly Post[]): Promise<void> {
  const reposts = posts.flatMap((post) => post.reposts.map((repost) => ({ repost, post })));
  const inOrder = reposts.sort((a, b) => a.repost.createdAt - b.repost.createdAt);
  await assignIds(
    tx,
    "posts",
    inOrder.map(({ repost }) => repost),
  );
  const rows = inOrder.map(({ repost: { id, account, createdAt: created_at }, post }) => ({
    ...{ id, user_id: account.id, creator_id: account.creatorId, post_id: post.id, created_at },
    author_id: post.author?.creatorId ?? null,
    by_ai: account.isAgent ? 1 : 0,
  }));
  await insertRows(tx, "reposts", rows);
}

async function addPolls(tx: Db, posts: readonly Post[]): Promise<void> {
  const asking = posts.flatMap(({ id, facts, votes }) =>
    facts.poll ? [{ id, poll: facts.poll, votes }] : [],
  );
  const countOf = (votes: readonly PollVote[]) => ({
    all: votes.length,
    byAi: countAgents(votes.map(({ account }) => account)),
  });
  const polls = asking.map(({ id, poll, votes }) => {
    const { all, byAi } = countOf(votes);
    const counted = { post_id: id, voter_count: all, ai_voter_count: byAi };
    return { ...counted, closes_at: Date.parse(poll.closesAt), announced_upto: null };
  });
  const options = asking.flatMap(({ id, poll, votes }) =>
    poll.options.map((_, position) => {
      const { all, byAi } = countOf(votes.filter(({ choices }) => choices.includes(position)));
      return { post_id: id, position, vote_count: all, ai_vote_count: byAi };
    }),
  );
  const cast = asking.flatMap(({ id, votes }) =>
    votes.map(({ account, choices, votedAt: voted_at }) => ({
      ...{ user_id: account.id, post_id: id, choices: JSON.stringify(choices), voted_at },
      by_ai: account.isAgent ? 1 : 0,
    })),
  );
  await insertRows(tx, "polls", polls);
  await insertRows(tx, "poll_options", options);
  await insertRows(tx, "poll_votes", cast);
}

/** Counts the posts in each community. */
async function addToCommunities(tx: Db, posts: readonly Post[]): Promise<void> {
  const counts = new Map<string, { count: number; newest: number }>();
  for (const { author, facts, createdAt } of posts) {
    if (!author || !facts.community) continue;
    const { count, newest } = counts.get(facts.community) ?? { count: 0, newest: 0 };
    counts.set(facts.community, { count: count + 1, newest: Math.max(newest, createdAt) });
  }
  for (const [name, { count, newest }] of counts)
    await tx
      .updateTable("communities")
      .set((eb) => ({ post_count: eb("post_count", "+", count), active_at: newest }))
      .where("name", "=", name)
      .execute();
}

/** Counts the posts that each source has brought. */
async function addToSources(tx: Db, posts: readonly Post[]): Promise<void> {
  const counts = new Map<number, { imported: number; newest: number }>();
  for (const { source, createdAt } of posts) {
    if (!source) continue;
    const { imported, newest } = counts.get(source.id) ?? { imported: 0, newest: 0 };
    counts.set(source.id, { imported: imported + 1, newest: Math.max(newest, createdAt) });
  }
  for (const [id, { imported, newest }] of counts)
    await tx
      .updateTable("sources")
      .set((eb) => ({ imported: eb("imported", "+", imported), newest_at: newest }))
      .where("id", "=", id)
      .execute();
}

async function creatorOf(tx: Db, { author, facts }: Post, externalAuthors: ExternalAuthors): Promise<number> {
  if (author) return author.creatorId;
  if (facts.platform === nativePlatform) throw new Error("a native post has an account");
  return externalAuthors.creatorOf(tx, facts.platform, facts.author);
}

/** The columns of the version that the demo data's only edit of a post or comment made. */
function edited(editedAt: number | null, byAi: boolean) {
  if (editedAt === null) return { version: 1, version_at: null, version_by: null };
  return { version: 2, version_at: editedAt, version_by: byAi ? ("ai" as const) : ("person" as const) };
}

function editTime({ facts: { editedAt } }: Post): number | null {
  return editedAt == null ? null : Date.parse(editedAt);
}

function factsOf(post: Post): PostFacts {
  const { facts, quoted } = post;
  return { ...postDefaults, ...facts, ...(quoted && { quoteId: quoted.id }), products: cardsOf(post) };
}

/** What edited posts and comments said before. */
async function addVersions(tx: Db, posts: Post[], comments: Comment[]): Promise<void> {
  const columns = { ...edited(null, false), edited_with: null, made_with: null };
  const ofPosts = posts
    .filter((post) => editTime(post) !== null)
    .map((post) => {
      const facts = factsOf(post);
      const { title, body } = facts;
      const before = body === null ? { title: beforeEdit(title ?? "") } : { body: beforeEdit(body) };
      return {
        id: post.id,
        columns,
        first: firstVersion(facts),
        content: { ...contentOf(facts), ...before },
      };
    });
  const ofComments = comments
    .filter(({ editedAt }) => editedAt !== null)
    .map(({ id, body, isAi, createdAt: created_at, editedAt: edited_at }) => {
      const first = firstCommentVersion({ is_ai: isAi ? 1 : 0, created_at, edited_at });
      return { id, columns, first, content: { body: beforeEdit(body) } };
    });
  await keepVersions(tx, "post", ofPosts);
  await keepVersions(tx, "comment", ofComments);
}

function rowOf(post: Post, creatorId: number) {
  const { id, source, quoted, originScore, origin, createdAt, views, comments, likes, clicks } = post;
  const engagement = {
    views,
    comments,
    likes: likes.length,
    aiLikes: countAgents(likes),
    clicks: clicks.reduce((sum, { count }) => sum + count, 0),
  };
  const facts = factsOf(post);
  const newPost = {
    creatorId,
    sourceId: source?.id ?? null,
    originScore,
    origin,
    postedAt: createdAt,
    facts,
    quotedId: quoted?.id ?? null,
  };
  const version = edited(editTime(post), facts.provenanceBasis === "stamped");
  return { id, ...postRow(newPost, engagement), quote_count: post.quotes, ...repostCounts(post), ...version };
}

const repostCounts = ({ reposts }: Post) => ({
  repost_count: reposts.length,
  ai_repost_count: countAgents(reposts.map(({ account }) => account)),
});

function countAgents(accounts: Account[]): number {
  return accounts.filter(({ isAgent }) => isAgent).length;
}

/** Product cards as the shop writes them, with tracked URLs. */
function cardsOf({ id: postId, products }: Post): ProductCard[] {
  return products.map(({ id, title, imageUrl, price, owner }) => ({
    id,
    title,
    imageUrl,
    price,
    url: trackedUrl(id, postId),
    isAiGenerated: owner.isAgent,
  }));
}

/** The hashtags that people used after `since`, in the order of their primary key. */
async function addTagUses(tx: Db, posts: readonly Post[], since: number): Promise<void> {
  const recent = posts.filter(
    ({ author, facts, createdAt }) =>
      author?.isAgent === false && facts.provenance === "human" && createdAt > since,
  );
  const rows = recent.flatMap(({ id, author, facts, createdAt }) =>
    [...new Set(tagsOfPost({ title: facts.title ?? null, body: facts.body ?? null }))].map((name) => ({
      ...{ tag: tagKey(name), name, user_id: author?.id ?? 0, post_id: id, comment_id: 0 },
      used_at: createdAt,
    })),
  );
  await insertRows(
    tx,
    "tag_uses",
    rows.toSorted((a, b) =>
      a.tag === b.tag ? a.user_id - b.user_id || a.post_id - b.post_id : a.tag < b.tag ? -1 : 1,
    ),
  );
}

/** Likes, saves and dismissals, in the order of their primary keys. */
async function addMarks(tx: Db, posts: Post[]): Promise<void> {
  const marks = (listOf: (post: Post) => Account[]) =>
    posts
      .flatMap((post) => listOf(post).map((account) => ({ account, post })))
      .sort((a, b) => a.account.id - b.account.id || a.post.id - b.post.id);
  const keyOf = ({ account, post }: { account: Account; post: Post }) => ({
    user_id: account.id,
    post_id: post.id,
  });
  const likes = marks((post) => post.likes).map((like) => ({
    ...keyOf(like),
    by_ai: like.account.isAgent ? 1 : 0,
  }));
  await insertRows(tx, "post_likes", likes);
  await insertRows(tx, "post_saves", marks((post) => post.saves).map(keyOf));
  await insertRows(tx, "dismissals", marks((post) => post.dismissals).map(keyOf));
}

async function addProductCards(tx: Db, posts: Post[]): Promise<void> {
  const shown = posts.flatMap(({ id, products }) =>
    products.map((product, position) => ({ post_id: id, product_id: product.id, position })),
  );
  await insertRows(tx, "post_products", shown);
  await insertRows(
    tx,
    "product_clicks",
    posts.flatMap(({ id, clicks }) => clickRows(clicks, id)),
  );
}

/** In `product_clicks`, stands for a click in the shop. */
const NO_POST = 0;

export async function writeShopClicks(tx: Db, clicks: readonly Clicks[]): Promise<void> {
  await insertRows(tx, "product_clicks", clickRows(clicks, NO_POST));
  await addToCreators(tx, [], clicks);
}

function clickRows(clicks: readonly Clicks[], post_id: number) {
  return clicks.map(({ product, day, count }) => ({ product_id: product.id, post_id, day, clicks: count }));
}

async function addComments(tx: Db, comments: Comment[]): Promise<void> {
  const rows = comments.map((comment) => ({
    id: comment.id,
    post_id: comment.post.id,
    user_id: comment.author.id,
    parent_id: comment.parent?.id ?? null,
    body: comment.body,
    is_ai: comment.isAi ? 1 : 0,
    like_count: comment.likes.length,
    ai_like_count: countAgents(comment.likes),
    reply_count: comment.replies,
    deleted: 0,
    created_at: comment.createdAt,
    edited_at: comment.editedAt,
    ...edited(comment.editedAt, comment.isAi),
  }));
  await insertRows(tx, "comments", rows);
  const likes = comments
    .flatMap(({ id, likes }) =>
      likes.map((account) => ({ user_id: account.id, comment_id: id, by_ai: account.isAgent ? 1 : 0 })),
    )
    .sort((a, b) => a.user_id - b.user_id || a.comment_id - b.comment_id);
  await insertRows(tx, "comment_likes", likes);
}

async function addNotifications(tx: Db, notifications: Notification[]): Promise<void> {
  await assignIds(tx, "notifications", notifications);
  const rows = notifications.map(({ id, type, recipient, actor, post, comment, createdAt }) => ({
    id,
    user_id: recipient.id,
    type,
    actor_id: actor.id,
    post_id: post.id,
    comment_id: comment?.id ?? null,
    key_hint: null,
    by_ai: actor.isAgent || comment?.isAi ? 1 : 0,
    created_at: createdAt,
  }));
  await insertRows(tx, "notifications", rows);
  await updateReadStates(tx, notifications);
}
