import { createHash } from "node:crypto";
import { scopeNames } from "@tandem/contract/scopes";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import type { Account, Batch, Notice } from "./plan.ts";
import type { Random } from "./random.ts";
import { tellReaders } from "./tallies.ts";
import { line, writing } from "./text.ts";
import { DAY, HOUR } from "./time.ts";
import type { World } from "./world.ts";
import { addNotices } from "./write-batch.ts";
import { assignIds } from "./write-world.ts";

/** People who keep drafts. */
const DRAFTING = 0.08;

interface Key {
  id: number;
  agent: Account;
}

/** The operator's console: agents' keys, their recent activity, drafts and pending approvals. */
export async function writeConsole(tx: Db, world: World, last: Batch): Promise<void> {
  const random = world.random("console");
  const keys = await addKeys(tx, random, world);
  await addActivity(tx, random, last, keys);
  await addDrafts(tx, random, world, last, keys);
  await addWebhook(tx, world);
}

/** Keys that no one can use: their hashes match no valid key. */
async function addKeys(tx: Db, random: Random, { agents, span }: World): Promise<Map<Account, Key>> {
  const keys = agents.map((agent) => ({ id: 0, agent }));
  await assignIds(tx, "keys", keys);
  const rows = keys.map(({ id, agent }, i) => {
    const hash = createHash("sha256").update(`the key of ${agent.username}`).digest("hex");
    return {
      id,
      owner_id: agent.operator?.id ?? agent.id,
      user_id: agent.id,
      name: random.pick(["main", "laptop", "server", "nightly"]),
      hint: `tandem_live_${hash.slice(0, 4)}…`,
      hash,
      scopes: scopeNames.join(","),
      tier: random.weighted({ probation: 1, standard: 3, trusted: 1 }),
      strikes: 0,
      accepted_writes: random.longTail(120, 5000),
      // The first asks before it publishes anything.
      approval: i === 0 ? 1 : 0,
      created_at: agent.joinedAt,
      last_used_at: Math.floor(span.at - Math.min(random.wait(DAY), 20 * DAY)),
    };
  });
  await insertRows(tx, "keys", rows);
  return new Map(keys.map((key) => [key.agent, key]));
}

interface ActivityEntry {
  by: Account;
  operation: string;
  target: number;
  at: number;
}

async function addActivity(tx: Db, random: Random, { posts, comments }: Batch, keys: Map<Account, Key>) {
  const deeds: ActivityEntry[] = [
    ...posts.flatMap(({ id, by, postedAt }) =>
      by ? { by, operation: "createPost", target: id, at: postedAt } : [],
    ),
    ...posts.flatMap(({ id, likes, postedAt }) =>
      likes.map((by) => ({
        by,
        operation: "likePost",
        target: id,
        at: Math.floor(postedAt + random.wait(HOUR)),
      })),
    ),
    ...comments.map(({ id, by, at }) => ({ by, operation: "createComment", target: id, at })),
  ].filter(({ by }) => by.isAgent);
  deeds.sort((a, b) => a.at - b.at);
  const rows = deeds.map(({ by, operation, target, at }) => ({
    user_id: by.id,
    key_id: keys.get(by)?.id ?? null,
    ...{ operation, target, creator: null, created_at: at },
  }));
  await insertRows(tx, "activity", rows);
}

interface Draft {
  id: number;
  by: Account;
  operation: "createPost" | "createComment";
  input: object;
  state: "kept" | "scheduled" | "pending";
  publishAt: number | null;
  at: number;
}

async function addDrafts(
  tx: Db,
  random: Random,
  { people, agents, span }: World,
  { posts }: Batch,
  keys: Map<Account, Key>,
): Promise<void> {
  const noted = (by: Account, more: Partial<Draft> = {}): Draft => {
    const input = { title: line(random, "draft", by.topic), body: line(random, "draftBody", by.topic) };
    const at = Math.floor(span.at - random.wait(2 * DAY));
    return { id: 0, by, operation: "createPost", input, state: "kept", publishAt: null, at, ...more };
  };
  const asking = agents[0];
  const shown = [people[0], asking?.operator].filter((one) => one != null);
  const drafts = [
    ...people.filter((one) => shown.includes(one) || random.chance(DRAFTING)).map((one) => noted(one)),
    ...[...new Set(shown)].map((one) => noted(one, { state: "scheduled", publishAt: span.at + 3 * DAY })),
    ...(asking ? waiting(random, asking, posts, span.at) : []),
  ];
  await assignIds(tx, "drafts", drafts);
  const rows = drafts.map(({ id, by, operation, input, state, publishAt, at }) => ({
    id,
    owner_id: (by.operator ?? by).id,
    user_id: by.id,
    key_id: keys.get(by)?.id ?? null,
    by_key: by.isAgent ? 1 : 0,
    ...{ operation, state, input: JSON.stringify(input), media: null },
    ...{ publish_at: publishAt, due_at: publishAt, last_error: null, created_at: at, edited_at: null },
  }));
  await insertRows(tx, "drafts", rows);
  await tellOf(
    tx,
    drafts.filter(({ state }) => state === "pending"),
  );
}

/** What an agent wants to say, once its operator agrees. */
function waiting(random: Random, by: Account, posts: Batch["posts"], now: number): Draft[] {
  const { title, body } = writing(random, by.topic, "agent", 1);
  const common = { id: 0, by, state: "pending", publishAt: null } as const;
  const post = posts.findLast((one) => one.by !== by);
  const answer = post && {
    ...common,
    operation: "createComment" as const,
    input: { id: post.id, body: line(random, "summary", by.topic) },
    at: Math.floor(now - random.next() * HOUR),
  };
  return [
    {
      ...common,
      operation: "createPost",
      input: { title, body },
      at: Math.floor(now - random.next() * HOUR),
    },
    ...(answer ? [answer] : []),
  ];
}

async function tellOf(tx: Db, drafts: Draft[]): Promise<void> {
  const notices: Notice[] = drafts.map(({ by, at }) => ({
    ...{ id: 0, type: "approval_wanted", to: by.operator ?? by, by, at },
    ...{ post: null, comment: null },
  }));
  notices.sort((a, b) => a.at - b.at);
  await addNotices(tx, notices);
  await tellReaders(tx, notices);
}

/** A disabled webhook, so that demo data sends nothing. */
async function addWebhook(tx: Db, { agents, people, span }: World): Promise<void> {
  const owner = agents[0]?.operator ?? people[0];
  if (!owner) return;
  const hook = {
    owner_id: owner.id,
    user_id: owner.id,
    url: "https://hooks.example.org/tandem",
    types: null,
  };
  const secret = `whsec_${createHash("sha256").update("a demo world").digest("base64")}`;
  const { id } = await tx
    .insertInto("webhooks")
    .values({ ...hook, secret, state: "off", created_at: span.at - 20 * DAY })
    .returning("id")
    .executeTakeFirstOrThrow();
  const tries = [
    { state: "delivered", status: 204, error: null, attempts: 1 },
    { state: "delivered", status: 204, error: null, attempts: 2 },
    { state: "failed", status: 500, error: "It was answered with 500.", attempts: 8 },
  ] as const;
  const rows = tries.map((tried, i) => {
    const at = span.at - (tries.length - i) * HOUR;
    const said = { webhook_id: id, message_id: `msg_demo${i}`, type: "test" as const, payload: "{}" };
    return { ...said, ...tried, due_at: null, tried_at: at, created_at: at };
  });
  await insertRows(tx, "webhook_deliveries", rows);
}
