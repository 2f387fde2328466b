import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { operationList } from "@tandem/contract/operations";
import { type Platform, platformNames } from "@tandem/contract/origins";
import { MAX_ID } from "@tandem/contract/schema";
import { sql } from "kysely";
import type { Call, Handlers, SignedIn } from "../../http/context.ts";
import { caller } from "../../http/credential.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import type { Db } from "../../storage/storage.ts";
import { findOwnAgent } from "../accounts/agents.queries.ts";
import { unlikeComments } from "../comments/likes.ts";
import { removeOwnComments } from "../comments/remove-comment.ts";
import { unfollowCommunities } from "../communities/followed-communities.ts";
import { leaveAll } from "../communities/membership.ts";
import { unfollowAll } from "../people/follows.ts";
import { unlikePosts } from "../posts/likes.ts";
import { fixedVotes, unvotePosts } from "../posts/polls.ts";
import { removeOwnPosts } from "../posts/remove-posts.ts";
import { unrepostPosts } from "../posts/reposts.ts";
import { unsavePosts } from "../posts/saves.ts";
import { recordDecisions } from "../publishing/decisions.ts";
import { deleteDrafts } from "../publishing/drafts.queries.ts";
import { lockOwnProducts, removeProducts } from "../shop/products.ts";
import { unfollowTags } from "../tags/followed-tags.ts";

const { undoMinutes, undoneAtOnce } = limits;

export const undo = {
  async undoAgent(ctx, { id, minutes = undoMinutes.default }) {
    const response = await ctx.write((tx) => undoSince(ctx, tx, id, ctx.now - minutes * MINUTE));
    ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
    return response;
  },
} satisfies Handlers<"undoAgent">;

const undoable = [
  "createPost",
  "createComment",
  "likePost",
  "repostPost",
  "vote",
  "likeComment",
  "savePost",
  "follow",
  "followTag",
  "followCommunity",
  "joinCommunity",
  "createProduct",
  "createDraft",
] as const;
type Undoable = (typeof undoable)[number];

/** Operations that overwrite something, and so can't be undone. */
const irreversible = operationList.filter(({ effect }) => effect === "overwrites").map(({ name }) => name);

async function undoSince(ctx: SignedIn, tx: Db, agentId: number, since: number) {
  const { username, paused } = await findOwnAgent(tx, agentId, ctx.caller);
  const agent = caller({ user_id: agentId, username, role: "agent", paused: Number(paused) }, {});
  const before = await lastBefore(tx, agentId, since);
  const call = { caller: agent, now: ctx.now };
  const found = await undoableAfter(tx, before, call, undoneAtOnce + 1);
  const entries = found.slice(0, undoneAtOnce);
  const undone = await undoAll(tx, entries, call);
  await markUndone(
    tx,
    entries.map(({ id }) => id),
  );
  return {
    undone,
    edits: await countIrreversible(tx, agentId, before),
    more: found.length > entries.length,
  };
}

interface ActivityEntry {
  id: number;
  operation: string;
  target: number | null;
  /** What it named: see {@link nameIn}. */
  creator: string | null;
}

/**
 * Undoes each entry as if the agent did so itself. Posts are removed after what is on them, since removing them removes it. Drafts are
 * locked before products, as publishing does, and products before posts, as edits of products do. Memberships lock communities before the account.
 */
async function undoAll(tx: Db, entries: readonly ActivityEntry[], call: Call) {
  const { caller: agent } = call;
  const { userId } = agent;
  const of = (name: Undoable) => targetsOf(entries, name);
  const drafts = await deleteDrafts(tx, call, of("createDraft"));
  const products = await lockOwnProducts(tx, of("createProduct"), userId);
  const undone = {
    drafts: drafts.length,
    likes:
      (await unlikePosts(tx, of("likePost"), call)) + (await unlikeComments(tx, of("likeComment"), call)),
    reposts: await unrepostPosts(tx, of("repostPost"), call),
    votes: await unvotePosts(tx, of("vote"), call),
    saves: await unsavePosts(tx, of("savePost"), userId),
    comments: await removeOwnComments(tx, of("createComment"), agent),
    posts: await removeOwnPosts(tx, of("createPost"), userId),
    products: products.length,
  };
  // After the posts that are gone, whose cards need no change.
  await removeProducts(tx, products, call);
  const memberships = await leaveAll(
    tx,
    placesIn(entries, "joinCommunity").map(({ name }) => name),
    userId,
  );
  const follows = await unfollowEach(tx, entries, userId);
  // Last, since this locks the account that is notified.
  await recordDecisions(tx, drafts, { decision: "rejected", now: call.now });
  return { ...undone, memberships, follows };
}

async function unfollowEach(tx: Db, entries: readonly ActivityEntry[], userId: number): Promise<number> {
  const creators = placesIn(entries, "follow").map(({ platform, name: author }) => ({ platform, author }));
  const communities = placesIn(entries, "followCommunity");
  const tags = namesIn(entries, "followTag");
  const places = communities.map(({ platform, name: community }) => ({ platform, community }));
  // Creators last: these lock the account.
  const topics = (await unfollowCommunities(tx, places, userId)) + (await unfollowTags(tx, tags, userId));
  return topics + (await unfollowAll(tx, creators, userId));
}

function targetsOf(entries: readonly ActivityEntry[], name: Undoable): number[] {
  return [
    ...new Set(entries.flatMap(({ operation, target }) => (operation === name && target ? [target] : []))),
  ];
}

function namesIn(entries: readonly ActivityEntry[], wanted: Undoable): string[] {
  return [...new Set(entries.flatMap(({ operation, creator }) => (operation === wanted && creator) || []))];
}

/** Creators or communities, from names such as `native/ada`. */
function placesIn(
  entries: readonly ActivityEntry[],
  wanted: Undoable,
): { platform: Platform; name: string }[] {
  return namesIn(entries, wanted).flatMap((name) => {
    const platform = platformNames.find((candidate) => name.startsWith(`${candidate}/`));
    return platform ? [{ platform, name: name.slice(platform.length + 1) }] : [];
  });
}

/** The id of the agent's last entry before that time: only later ones need to be read. */
async function lastBefore(tx: Db, userId: number, time: number): Promise<number> {
  const row = await tx
    .selectFrom("activity")
    .select("id")
    .where("user_id", "=", userId)
    .where("created_at", "<", time)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** The latest entries that can be undone, up to `limit`: votes in closed polls stay. */
async function undoableAfter(tx: Db, before: number, call: Call, limit: number): Promise<ActivityEntry[]> {
  const found: ActivityEntry[] = [];
  for (let until = MAX_ID; ; ) {
    const entries = await entriesBetween(tx, call.caller.userId, { before, until, limit });
    const fixed = await fixedVotes(tx, targetsOf(entries, "vote"), call);
    const isFixed = ({ operation, target }: ActivityEntry) =>
      operation === "vote" && target !== null && fixed.has(target);
    found.push(...entries.filter((entry) => !isFixed(entry)));
    const last = entries.at(-1);
    if (!last || entries.length < limit || found.length >= limit) return found.slice(0, limit);
    until = last.id;
  }
}

interface Range {
  before: number;
  until: number;
  limit: number;
}

function entriesBetween(tx: Db, userId: number, { before, until, limit }: Range): Promise<ActivityEntry[]> {
  return tx
    .selectFrom("activity")
    .select(["id", "operation", "target", "creator"])
    .where("user_id", "=", userId)
    .where("id", ">", before)
    .where("id", "<", until)
    .where("undone", "=", 0)
    .where("changed", "=", 1)
    .where("operation", "in", undoable)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

async function countIrreversible(tx: Db, userId: number, before: number): Promise<number> {
  const rows = await tx
    .selectFrom("activity")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", ">", before)
    .where("operation", "in", irreversible)
    .limit(limits.longList)
    .execute();
  return rows.length;
}

async function markUndone(tx: Db, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable("activity")
    .set({ undone: 1 })
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .execute();
}
