import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { notFound } from "../../http/api-error.ts";
import type { Call, Handlers, SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { findOther } from "../accounts/find-account.ts";
import { countAttempt } from "../accounts/throttle.ts";
import { recordAct } from "../communities/audit.ts";
import {
  assertPermitted,
  findCommunity,
  lockCommunity,
  lockFor,
} from "../communities/communities.queries.ts";
import { asBan, banPage } from "../communities/members.queries.ts";
import { banFrom, banInForce, knowsOfBan, liftBan } from "../moderation/bans.ts";
import { hasEnded } from "../moderation/decisions.queries.ts";
import { endOf } from "../moderation/suspensions.ts";
import { asCommunityDecision } from "./removals.ts";

export const communityBans = {
  async listCommunityBans(ctx, { name, limit = limits.page.default, cursor }) {
    const community = await findCommunity(ctx.read, name, ctx);
    assertPermitted("listCommunityBans", community);
    const rows = await banPage(ctx.read, community.id, ctx.now, {
      below: cursor,
      limit: limit + 1,
    }).execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { bans: page.map(asBan), nextCursor };
  },
  banFromCommunity: (ctx, input) => ctx.write((tx) => banAccount(ctx, tx, input)),
  liftCommunityBan: (ctx, input) => ctx.write((tx) => liftBanOf(ctx, tx, input)),
} satisfies Handlers<"listCommunityBans" | "banFromCommunity" | "liftCommunityBan">;

async function banAccount(call: SignedIn, tx: Db, input: Input<Operations["banFromCommunity"]>) {
  const { caller, now } = call;
  const { name, username, reason, until } = input;
  const community = await lockFor(tx, "banFromCommunity", name, call);
  const account = await findOther(tx, caller, username);
  await countAttempt(call, tx, {
    what: "bans",
    counters: [{ name: "communityBansPerAccount", of: String(caller.userId) }],
  });
  const ban = {
    communityId: community.id,
    by: caller.userId,
    account,
    reason,
    until: endOf(until, now),
    now,
  };
  const decision = await banFrom(tx, ban);
  const detail = { username: account.username, reason, ...(until != null && { until }) };
  await recordAct(call, tx, {
    operation: "banFromCommunity",
    name,
    target: `user:${account.id}`,
    detail,
  });
  return { decision: asCommunityDecision(decision, now) };
}

async function liftBanOf(call: Call, tx: Db, { name, username }: Input<Operations["liftCommunityBan"]>) {
  const { caller, now } = call;
  const community = await lockCommunity(tx, name, call);
  assertPermitted("liftCommunityBan", community);
  const account = await findOther(tx, caller, username);
  const ban = await banInForce(tx, community.id, account.id);
  if (!ban || hasEnded(ban, now)) throw notFound("ban");
  const decision = await liftBan(tx, ban, now, !(await knowsOfBan(tx, community.id, account.id)));
  const detail = { username: account.username };
  await recordAct(call, tx, { operation: "liftCommunityBan", name, target: `user:${account.id}`, detail });
  return { decision: asCommunityDecision(decision, now) };
}
