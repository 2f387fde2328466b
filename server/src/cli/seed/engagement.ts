import type { Account, Comment, Notice, Post } from "./plan.ts";
import { clicksOn } from "./products.ts";
import type { Random } from "./random.ts";
import { call, remark, reply } from "./text.ts";
import { HOUR, MINUTE } from "./time.ts";
import type { World } from "./world.ts";

/** Engagement with one post. */
export interface Engagement {
  comments: Comment[];
  notices: Notice[];
}

/** Means for a post; attention is spread very unevenly around them. */
const LIKES = 2.5;
const COMMENTS = 1.2;
const COMMENT_LIKES = 0.5;
const MOST_LIKES = 1000;
const MOST_COMMENTS = 400;
const REPLIES = 0.45;
/** Comments by people's keys are AI content too. */
const BY_KEY = 0.02;
/** The share of comments that draw someone's attention to the post. */
const CALLS = 0.05;

/** Adds to the post's own lists, and gives back what happened in words. */
export function engage(random: Random, world: World, post: Post, until: number): Engagement {
  const { accounts } = world;
  const most = Math.min(MOST_LIKES, Math.floor(accounts.length / 3));
  post.likes = some(random, accounts, random.longTail(LIKES, most));
  post.saves = some(random, accounts, random.longTail(0.4, most));
  post.dismissals = some(random, accounts, random.chance(0.02) ? 1 : 0);
  post.views = post.likes.length * random.between(3, 20) + random.longTail(15, 5000);
  const { at } = world.span;
  const clicking = { from: post.postedAt, at: Math.min(until, at) };
  post.clicks = post.products.flatMap((product) => clicksOn(random, product, clicking, 3));
  const soon = waiting(random, until);
  const comments = thread(random, world, post, soon);
  post.comments = comments.length;
  return { comments, notices: told(post, comments, soon) };
}

/** A while after a time, but before the batch ends: so times go up with ids from batch to batch. */
function waiting(random: Random, until: number): Soon {
  return (time, mean) => Math.floor(time + Math.min(random.wait(mean), (until - time) * random.next()));
}

type Soon = (time: number, mean: number) => number;

/** Different accounts, the busy ones rather than the others. */
function some(random: Random, accounts: Account[], count: number): Account[] {
  const found = new Set<Account>();
  for (let tries = 3 * count; found.size < count && tries > 0; tries -= 1) {
    found.add(random.favourite(accounts, 1.6));
  }
  return [...found];
}

function thread(random: Random, world: World, post: Post, soon: Soon): Comment[] {
  const comments: Comment[] = [];
  for (let left = random.longTail(COMMENTS, MOST_COMMENTS); left > 0; left -= 1) {
    const parent = comments.length > 0 && random.chance(REPLIES) ? random.pick(comments) : null;
    // Whoever wrote a post answers more often than others do.
    const asked = parent !== null && parent.answers.length > 0 && parent.replies === 0;
    const author = parent && parent.by !== post.by ? post.by : null;
    const answers = author !== null && random.chance(asked ? 0.75 : 0.3);
    const by = answers ? author : random.favourite(world.accounts, 1.8);
    const at = soon(parent?.at ?? post.postedAt, parent ? HOUR : 4 * HOUR);
    if (parent) parent.replies += 1;
    comments.push(comment(random, world, { post, parent, by, at }, soon));
  }
  return comments;
}

function comment(
  random: Random,
  { accounts, people }: World,
  facts: Pick<Comment, "post" | "parent" | "by" | "at">,
  soon: Soon,
): Comment {
  const { post, parent, by, at } = facts;
  const mentions = !parent && random.chance(CALLS) ? random.favourite(people, 1.8) : null;
  const named = mentions === by || mentions === post.by ? null : mentions;
  return {
    ...facts,
    id: 0,
    ...words(random, { post, parent, by }, named),
    mentions: named,
    isAi: by.isAgent || random.chance(BY_KEY),
    editedAt: random.chance(0.02) ? soon(at, 10 * MINUTE) : null,
    replies: 0,
    likes: some(random, accounts, random.longTail(COMMENT_LIKES, 60)),
  };
}

function words(
  random: Random,
  { post, parent, by }: Pick<Comment, "post" | "parent" | "by">,
  named: Account | null,
): Pick<Comment, "body" | "answers"> {
  if (named) return { body: call(random, post.about, named.username), answers: [] };
  if (!parent) return remark(random, post.about, by.isAgent);
  // Each answer is given once.
  const fitting = by === post.by && parent.replies === 1 ? parent.answers : [];
  return { body: reply(random, post.about, fitting), answers: [] };
}

/** A notification for each like, comment and reply that concerns an account, except its own. */
function told(post: Post, comments: Comment[], soon: Soon): Notice[] {
  const notices: Notice[] = [];
  const tell = (notice: Omit<Notice, "id" | "to" | "post"> & { to: Account | null }) => {
    const { to } = notice;
    if (to && to !== notice.by) notices.push({ ...notice, id: 0, to, post });
  };
  for (const by of post.by ? post.likes : []) {
    tell({ type: "post_like", to: post.by, by, comment: null, at: soon(post.postedAt, 3 * HOUR) });
  }
  for (const comment of comments) {
    const { parent, by, at } = comment;
    tell({ type: parent ? "reply" : "comment", to: parent ? parent.by : post.by, by, comment, at });
    tell({ type: "mention", to: comment.mentions, by, comment, at });
    for (const one of comment.likes) {
      tell({ type: "comment_like", to: comment.by, by: one, comment, at: soon(at, 2 * HOUR) });
    }
  }
  return notices;
}
