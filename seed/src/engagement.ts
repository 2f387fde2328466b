import { HOUR, MINUTE } from "@tandem/contract/durations";
import type { Account, Comment, Notification, Post } from "./model.ts";
import { createClicks } from "./products.ts";
import type { Random } from "./random.ts";
import { commentText, mentionText, replyText } from "./text.ts";
import type { World } from "./world.ts";

/** Means per post. The distribution has a long tail. */
const LIKES = 2.5;
const COMMENTS = 1.2;
const COMMENT_LIKES = 0.5;
const MAX_LIKES = 1000;
const MAX_COMMENTS = 400;
/** The share of comments that reply to another. */
const REPLIES = 0.45;
/** The share of people's comments that are written with an API key, and so are AI content. */
const BY_KEY = 0.02;
/** The share of comments that mention an account. */
const MENTIONS = 0.05;

/** Adds likes, views and clicks to a post. Returns its comments and the notifications of all that. */
export function addEngagement(
  random: Random,
  world: World,
  post: Post,
  batchEnd: number,
): { comments: Comment[]; notifications: Notification[] } {
  const { accounts } = world;
  const most = Math.min(MAX_LIKES, Math.floor(accounts.length / 3));
  post.likes = pickAccounts(random, accounts, random.longTail(LIKES, most));
  post.saves = pickAccounts(random, accounts, random.longTail(0.4, most));
  post.dismissals = pickAccounts(random, accounts, random.chance(0.02) ? 1 : 0);
  post.views = post.likes.length * random.between(3, 20) + random.longTail(15, 5000);
  const clickSpan = { start: post.createdAt, end: Math.min(batchEnd, world.span.end) };
  post.clicks = post.products.flatMap((product) => createClicks(random, product, clickSpan, 3));
  const later = delayWithin(random, batchEnd);
  const comments = createThread(random, world, post, later);
  post.comments = comments.length;
  return { comments, notifications: createNotifications(post, comments, later) };
}

/** A time after another, with a mean delay. */
type Later = (time: number, meanDelay: number) => number;

/** Delays that end before the batch does, so that ids are in chronological order across batches. */
function delayWithin(random: Random, batchEnd: number): Later {
  return (time, mean) => Math.floor(time + Math.min(random.delay(mean), (batchEnd - time) * random.next()));
}

/** Up to `count` different accounts, the first ones most often. */
function pickAccounts(random: Random, accounts: Account[], count: number): Account[] {
  const found = new Set<Account>();
  for (let tries = 3 * count; found.size < count && tries > 0; tries -= 1)
    found.add(random.pickSkewed(accounts, 1.6));
  return [...found];
}

function createThread(random: Random, world: World, post: Post, later: Later): Comment[] {
  const comments: Comment[] = [];
  for (let left = random.longTail(COMMENTS, MAX_COMMENTS); left > 0; left -= 1) {
    const parent = comments.length > 0 && random.chance(REPLIES) ? random.pick(comments) : null;
    // The post's author replies more often than others do, above all to questions.
    const hasAnswer = parent !== null && parent.answers.length > 0 && parent.replies === 0;
    const postAuthor = parent && parent.author !== post.author ? post.author : null;
    const answers = postAuthor !== null && random.chance(hasAnswer ? 0.75 : 0.3);
    const author = answers ? postAuthor : random.pickSkewed(world.accounts, 1.8);
    const createdAt = later(parent?.createdAt ?? post.createdAt, parent ? HOUR : 4 * HOUR);
    if (parent) parent.replies += 1;
    comments.push(createComment(random, world, { post, parent, author, createdAt }, later));
  }
  return comments;
}

function createComment(
  random: Random,
  { accounts, people }: World,
  facts: Pick<Comment, "post" | "parent" | "author" | "createdAt">,
  later: Later,
): Comment {
  const { post, parent, author, createdAt } = facts;
  const mentioned = !parent && random.chance(MENTIONS) ? random.pickSkewed(people, 1.8) : null;
  const mentions = mentioned === author || mentioned === post.author ? null : mentioned;
  return {
    ...facts,
    id: 0,
    ...createText(random, facts, mentions),
    mentions,
    isAi: author.isAgent || random.chance(BY_KEY),
    editedAt: random.chance(0.02) ? later(createdAt, 10 * MINUTE) : null,
    replies: 0,
    likes: pickAccounts(random, accounts, random.longTail(COMMENT_LIKES, 60)),
  };
}

function createText(
  random: Random,
  { post, parent, author }: Pick<Comment, "post" | "parent" | "author">,
  mentions: Account | null,
): Pick<Comment, "body" | "answers"> {
  if (mentions) return { body: mentionText(random, post.subject, mentions.username), answers: [] };
  if (!parent) return commentText(random, post.subject, author.isAgent);
  // Only the first reply is an answer, so that none repeats.
  const answers = author === post.author && parent.replies === 1 ? parent.answers : [];
  return { body: replyText(random, post.subject, answers), answers: [] };
}

/** A notification for each like, comment, reply and mention that concerns another account. */
function createNotifications(post: Post, comments: Comment[], later: Later): Notification[] {
  const notifications: Notification[] = [];
  const notify = (
    recipient: Account | null,
    what: Pick<Notification, "type" | "actor" | "comment" | "createdAt">,
  ) => {
    if (recipient && recipient !== what.actor) notifications.push({ ...what, id: 0, recipient, post });
  };
  for (const actor of post.author ? post.likes : []) {
    const createdAt = later(post.createdAt, 3 * HOUR);
    notify(post.author, { type: "post_like", actor, comment: null, createdAt });
  }
  for (const comment of comments) {
    const { parent, author: actor, createdAt } = comment;
    const type = parent ? "reply" : "comment";
    notify(parent ? parent.author : post.author, { type, actor, comment, createdAt });
    notify(comment.mentions, { type: "mention", actor, comment, createdAt });
    for (const liker of comment.likes) {
      const likedAt = later(createdAt, 2 * HOUR);
      notify(comment.author, { type: "comment_like", actor: liker, comment, createdAt: likedAt });
    }
  }
  return notifications;
}
