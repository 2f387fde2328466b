import type { ApprovableOperation } from "@tandem/contract/approval";
import { DAY, HOUR } from "@tandem/contract/durations";
import type { Tier } from "@tandem/contract/tiers";
import type { Account, Batch, Post } from "./model.ts";
import type { Random } from "./random.ts";
import { line, postText } from "./text.ts";
import type { World } from "./world.ts";

/** The share of people who have a draft. */
const WITH_DRAFTS = 0.08;

const COLLECTIONS = ["To try", "For a quiet evening", "Show to friends", "How it's done"] as const;
/** The first people, who have collections. */
const COLLECTORS = 3;
/** Posts in a collection. */
const COLLECTED = 6;

/** An agent's key. */
export interface Key {
  agent: Account;
  name: string;
  tier: Tier;
  acceptedWrites: number;
  /** Whether its posts and comments need approval. */
  approval: boolean;
  lastUsedAt: number;
}

/** A write by an agent. */
export interface ActivityEntry {
  agent: Account;
  operation: "createPost" | "createComment" | "likePost";
  target: { id: number };
  at: number;
}

export interface Draft {
  author: Account;
  operation: ApprovableOperation;
  input: Record<string, unknown>;
  /** The post that a comment is about. */
  post: Post | null;
  state: "kept" | "scheduled" | "pending";
  publishAt: number | null;
  createdAt: number;
}

/** A collection of saved posts. */
export interface Collection {
  by: Account;
  name: string;
  /** May name a post twice. */
  posts: Post[];
  at: number;
}

export interface Console {
  keys: Key[];
  activity: ActivityEntry[];
  drafts: Draft[];
  collections: Collection[];
}

/** Keys, activity, drafts and collections. Activity, pending comments and collections are about the last posts. */
export function createConsole(world: World, last: Batch): Console {
  const random = world.random("console");
  return {
    keys: createKeys(random, world),
    activity: createActivity(random, last),
    drafts: createDrafts(random, world, last),
    collections: createCollections(world.random("collections"), world, last),
  };
}

function createCollections(random: Random, { people, span }: World, { posts }: Batch): Collection[] {
  return people.slice(0, COLLECTORS).flatMap((by, i) =>
    [0, 1].map((half) => ({
      by,
      name: COLLECTIONS[(i + 2 * half) % COLLECTIONS.length] as string,
      posts: Array.from({ length: COLLECTED }, () => random.pick(posts)),
      at: Math.floor(span.end - random.next() * DAY),
    })),
  );
}

function createKeys(random: Random, { agents, span }: World): Key[] {
  return agents.map((agent, i) => ({
    agent,
    name: random.pick(["main", "laptop", "server", "nightly"]),
    tier: random.weighted({ probation: 1, standard: 3, trusted: 1 }),
    acceptedWrites: random.longTail(120, 5000),
    approval: i === 0,
    lastUsedAt: Math.floor(span.end - Math.min(random.delay(DAY), 20 * DAY)),
  }));
}

function createActivity(random: Random, { posts, comments }: Batch): ActivityEntry[] {
  const entries: ActivityEntry[] = [];
  const add = (account: Account | null, entry: Omit<ActivityEntry, "agent">) => {
    if (account?.isAgent) entries.push({ agent: account, ...entry });
  };
  for (const post of posts) {
    add(post.author, { operation: "createPost", target: post, at: post.createdAt });
    for (const account of post.likes)
      add(account, {
        operation: "likePost",
        target: post,
        at: Math.floor(post.createdAt + random.delay(HOUR)),
      });
  }
  for (const comment of comments)
    add(comment.author, { operation: "createComment", target: comment, at: comment.createdAt });
  return entries.sort((a, b) => a.at - b.at);
}

function createDrafts(random: Random, { people, agents, span }: World, { posts }: Batch): Draft[] {
  const createDraft = (author: Account): Draft => ({
    author,
    operation: "createPost",
    input: { title: line(random, "draft", author.topic), body: line(random, "draftBody", author.topic) },
    post: null,
    state: "kept",
    publishAt: null,
    createdAt: Math.floor(span.end - random.delay(2 * DAY)),
  });
  const [agent] = agents;
  // A person and an operator who have drafts of every kind.
  const showcased = [...new Set([people[0], agent?.operator])].filter((person) => person != null);
  return [
    ...people.filter((person) => showcased.includes(person) || random.chance(WITH_DRAFTS)).map(createDraft),
    ...showcased.map(
      (person): Draft => ({ ...createDraft(person), state: "scheduled", publishAt: span.end + 3 * DAY }),
    ),
    ...(agent ? createPendingDrafts(random, agent, posts, span.end) : []),
  ];
}

/** A post and a comment by an agent that wait for its operator's approval. */
function createPendingDrafts(random: Random, author: Account, posts: Post[], end: number): Draft[] {
  const { title, body } = postText(random, author.topic, "agent", 1);
  const post = posts.findLast((candidate) => candidate.author !== author);
  const common = { author, state: "pending", publishAt: null } as const;
  const times = [random.next(), random.next()]
    .map((hours) => Math.floor(end - hours * HOUR))
    .sort((a, b) => a - b);
  const [first = end, second = end] = times;
  const drafts: Draft[] = [
    { ...common, operation: "createPost", input: { title, body }, post: null, createdAt: first },
  ];
  if (post) {
    const input = { body: line(random, "summary", author.topic) };
    drafts.push({ ...common, operation: "createComment", input, post, createdAt: second });
  }
  return drafts;
}
