import { limits } from "@tandem/contract/limits";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { findOther } from "../accounts/find-account.ts";
import { countAttempt } from "../accounts/throttle.ts";
import { notify } from "../notifications/notifications.queries.ts";
import { assertNotBlocked, lockPair } from "./block-check.ts";
import { areFriends, endFriendship } from "./friends.queries.ts";
import {
  addRequest,
  asRequest,
  declinedUntil,
  type FoundRequest,
  findRequest,
  forgetDecline,
  hasMore,
  listRequests,
  makeFriends,
  noteDecline,
  requestsBetween,
} from "./requests.queries.ts";

export const friendRequests = {
  listFriendRequests: async (ctx) => {
    const { userId } = ctx.caller;
    const all = await listRequests(ctx.read, userId);
    return {
      incoming: all.filter((one) => one.to_id === userId).map(asRequest),
      outgoing: all.filter((one) => one.from_id === userId).map(asRequest),
    };
  },
  requestFriend: (ctx, { username }) => ctx.write((tx) => ask(ctx, tx, username)),
  acceptFriend: (ctx, { id }) =>
    ctx.write(async (tx) => befriend(ctx, tx, await lockRequest(ctx, tx, id, "to"))),
  declineFriend: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const request = await lockRequest(ctx, tx, id, "to");
      await endFriendship(tx, request.from_id, request.to_id);
      await noteDecline(tx, request, ctx.now + REST);
      return { request: asRequest(request), friends: false };
    }),
  withdrawFriendRequest: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const request = await lockRequest(ctx, tx, id, "from");
      await endFriendship(tx, request.from_id, request.to_id);
      return { request: asRequest(request), friends: false };
    }),
} satisfies Handlers<
  "listFriendRequests" | "requestFriend" | "acceptFriend" | "declineFriend" | "withdrawFriendRequest"
>;

const REST = limits.friendRequestRestDays * 86_400_000;

/** Two who ask each other are friends: the second to ask accepts the first. */
async function ask(ctx: SignedIn, tx: Db, username: string) {
  const { userId } = ctx.caller;
  const other = await findOther(tx, ctx.caller, username);
  if (other.role === "agent")
    throw invalid("username", "Only people are friends here; an agent is followed.");
  await lockPair(tx, userId, other.id);
  await assertNotBlocked(tx, ctx.caller, other.id);
  const between = await requestsBetween(tx, userId, other.id);
  const theirs = between.find((one) => one.to_id === userId);
  if (theirs) return befriend(ctx, tx, theirs);
  const mine = between.find((one) => one.from_id === userId) ?? (await askAnew(ctx, tx, other.id));
  return { request: asRequest(mine), friends: false };
}

async function askAnew(ctx: SignedIn, tx: Db, other: number): Promise<FoundRequest> {
  const { caller, now } = ctx;
  if (await areFriends(tx, caller.userId, other)) throw invalid("username", "You are friends already.");
  await requireRest(tx, { from: caller.userId, to: other, now });
  // Who declined and now asks has thought again.
  await forgetDecline(tx, other, caller.userId);
  await countAttempt(ctx, tx, {
    what: "friend requests",
    counters: [{ name: "friendRequestsPerAccount", of: String(caller.userId) }],
  });
  const id = await addRequest(tx, caller.userId, other, now);
  await requireRequestRoom(tx, caller.userId);
  await notify(tx, { type: "friend_request", to: other, postId: null, commentId: null }, [ctx]);
  return findRequest(tx, id, caller);
}

/** Who has declined is left in peace for a while; `rate_limited` says for how long still. */
async function requireRest(tx: Db, { from, to, now }: { from: number; to: number; now: number }) {
  const retryAfter = Math.ceil(((await declinedUntil(tx, from, to)) - now) / 1000);
  if (retryAfter <= 0) return;
  const days = Math.ceil(retryAfter / 86_400);
  const told = `Your last request was declined; ask again in ${days} day${days === 1 ? "" : "s"}.`;
  throw new ApiError("rate_limited", told, { retryAfter });
}

async function requireRequestRoom(tx: Db, userId: number): Promise<void> {
  const { friendRequestsPerAccount: most } = limits;
  if (await hasMore(tx, "friend_requests", "from_id", userId, most))
    throw invalid("username", `At most ${most} requests wait at a time: withdraw one first.`);
}

/**
 * A request that the caller made or got, as `own` says, until the transaction ends nobody else's to answer. Throws
 * `not_found`, for those that aren't the caller's to deal with too.
 */
async function lockRequest({ caller }: SignedIn, tx: Db, id: number, own: "from" | "to") {
  const { from_id, to_id } = await findRequest(tx, id, caller);
  await lockPair(tx, from_id, to_id);
  // What was there before the lock may be gone by the time it was given.
  const request = await findRequest(tx, id, caller);
  if (request[`${own}_id`] !== caller.userId) throw notFound("friend request");
  return request;
}

async function befriend(ctx: SignedIn, tx: Db, request: FoundRequest) {
  const { from_id, to_id } = request;
  await makeFriends(tx, request, ctx.now);
  const { friendsPerAccount: most } = limits;
  for (const id of [from_id, to_id])
    if (await hasMore(tx, "friendships", "user_id", id, most))
      throw new ApiError("forbidden", `One of you has ${most} friends, and that is as many as one may have.`);
  await notify(tx, { type: "friend_accept", to: from_id, postId: null, commentId: null }, [ctx]);
  return { request: asRequest(request), friends: true };
}
