import { DAY, SECONDS_PER_DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Call, Handlers, SignedIn } from "../../http/context.ts";
import { counted } from "../../http/duration.ts";
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
  deleteDecline,
  type FoundRequest,
  findRequest,
  hasMore,
  listRequests,
  makeFriends,
  requestsBetween,
  storeDecline,
} from "./requests.queries.ts";

export const friendRequests = {
  listFriendRequests: async (ctx) => {
    const { userId } = ctx.caller;
    const all = await listRequests(ctx.read, userId);
    return {
      incoming: all.filter(({ to_id }) => to_id === userId).map(asRequest),
      outgoing: all.filter(({ from_id }) => from_id === userId).map(asRequest),
    };
  },
  requestFriend: (ctx, { username }) => ctx.write((tx) => request(ctx, tx, username)),
  acceptFriend: (ctx, { id }) =>
    ctx.write(async (tx) => befriend(ctx, tx, await lockRequest(ctx, tx, id, "to"))),
  declineFriend: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const request = await lockRequest(ctx, tx, id, "to");
      await endFriendship(tx, request.from_id, request.to_id);
      await storeDecline(tx, request, ctx.now + COOLDOWN);
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

/** Milliseconds after a decline during which the same account can't ask again. */
const COOLDOWN = limits.friendRequestCooldownDays * DAY;

/** If two accounts ask each other, the second request accepts the first. */
async function request(ctx: SignedIn, tx: Db, username: string) {
  const { userId } = ctx.caller;
  const other = await findOther(tx, ctx.caller, username);
  if (other.role === "agent")
    throw invalid("username", "Only people can be friends. Follow the agent instead.");
  await lockPair(tx, userId, other.id);
  await assertNotBlocked(tx, ctx.caller, other.id);
  const between = await requestsBetween(tx, userId, other.id);
  const incoming = between.find(({ to_id }) => to_id === userId);
  if (incoming) return befriend(ctx, tx, incoming);
  const outgoing =
    between.find(({ from_id }) => from_id === userId) ?? (await addNewRequest(ctx, tx, other.id));
  return { request: asRequest(outgoing), friends: false };
}

async function addNewRequest(ctx: SignedIn, tx: Db, other: number): Promise<FoundRequest> {
  const { caller, now } = ctx;
  if (await areFriends(tx, caller.userId, other)) throw invalid("username", "You are already friends.");
  await requireCooldown(tx, { from: caller.userId, to: other, now });
  // If the caller once declined a request from this person, they have changed their mind.
  await deleteDecline(tx, other, caller.userId);
  await countAttempt(ctx, tx, {
    what: "friend requests",
    counters: [{ name: "friendRequestsPerAccount", of: String(caller.userId) }],
  });
  const id = await sendRequest(tx, ctx, other);
  await requireRequestRoom(tx, caller.userId);
  return findRequest(tx, id, caller);
}

/** Adds a request, and notifies its recipient. Returns its id. */
export async function sendRequest(tx: Db, call: Call, to: number): Promise<number> {
  const id = await addRequest(tx, call.caller.userId, to, call.now);
  await notify(tx, { type: "friend_request", to, postId: null, commentId: null }, [call]);
  return id;
}

/** Notifies an account that the caller accepted its request. */
export function notifyAccepted(tx: Db, call: Call, to: number): Promise<void> {
  return notify(tx, { type: "friend_accept", to, postId: null, commentId: null }, [call]);
}

/** Throws `rate_limited` with the time left, if the other account declined a request recently. */
async function requireCooldown(tx: Db, { from, to, now }: { from: number; to: number; now: number }) {
  const retryAfter = Math.ceil(((await declinedUntil(tx, from, to)) - now) / 1000);
  if (retryAfter <= 0) return;
  const days = Math.ceil(retryAfter / SECONDS_PER_DAY);
  const message = `Your last request was declined. You can ask again in ${counted(days, "day")}.`;
  throw new ApiError("rate_limited", message, { retryAfter });
}

async function requireRequestRoom(tx: Db, userId: number): Promise<void> {
  const { pendingFriendRequestsPerAccount: most } = limits;
  if (await hasMore(tx, "friend_requests", "from_id", userId, most))
    throw invalid("username", `You can have at most ${most} pending requests. Withdraw one first.`);
}

/**
 * Finds and locks a request on which the caller is the given side. Throws `not_found` if there is none, also for other
 * accounts' requests.
 */
async function lockRequest({ caller }: SignedIn, tx: Db, id: number, side: "from" | "to") {
  const { from_id, to_id } = await findRequest(tx, id, caller);
  await lockPair(tx, from_id, to_id);
  // Read again: it may have been answered before the lock was granted.
  const locked = await findRequest(tx, id, caller);
  if (locked[`${side}_id`] !== caller.userId) throw notFound("friend request");
  return locked;
}

async function befriend(ctx: SignedIn, tx: Db, request: FoundRequest) {
  const { from_id, to_id } = request;
  await makeFriends(tx, request, ctx.now);
  const { friendsPerAccount: most } = limits;
  for (const id of [from_id, to_id])
    if (await hasMore(tx, "friendships", "user_id", id, most))
      throw new ApiError("forbidden", `One of you already has ${most} friends, the most that are allowed.`);
  await notifyAccepted(tx, ctx, from_id);
  return { request: asRequest(request), friends: true };
}
