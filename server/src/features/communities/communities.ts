import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { logCurrent } from "../transparency-log/current.ts";
import { recordAct } from "./audit.ts";
import {
  asCommunity,
  assertPermitted,
  closeById,
  communityResponse,
  findCommunity,
  lockCommunity,
  lockFor,
} from "./communities.queries.ts";
import { listPage } from "./list.queries.ts";
import { listStaff } from "./members.queries.ts";
import { addMember, assertCanOwn, assertRoomToJoin } from "./membership.queries.ts";
import { listPins } from "./pins.queries.ts";
import { isReservedName } from "./reserved-names.ts";

export const communities = {
  listCommunities: async (ctx, input) => {
    const skip = input.cursor ?? 0;
    const take = input.limit ?? limits.page.default;
    if (skip > limits.communitiesDepth) return { communities: [], nextCursor: null };
    const rows = await listPage(await ctx.recent(), input, ctx, { skip, take: take + 1 });
    const isMore = rows.length > take && skip + take <= limits.communitiesDepth;
    return { communities: rows.slice(0, take), nextCursor: ctx.nextPage(isMore ? skip + take : null) };
  },
  readCommunity: async (ctx, { name }) => {
    const community = await findCommunity(ctx.read, name, ctx);
    const [moderators, pinnedPostIds] = [
      await listStaff(ctx.read, community.id),
      await listPins(ctx.read, community.id),
    ];
    return { community: asCommunity(community), moderators, pinnedPostIds };
  },
  createCommunity: (ctx, input) => ctx.write((tx) => create(ctx, tx, input)),
  editCommunity: (ctx, input) => ctx.write((tx) => edit(ctx, tx, input)),
  closeCommunity: (ctx, { name }) => ctx.write((tx) => close(ctx, tx, name)),
} satisfies Handlers<
  "listCommunities" | "readCommunity" | "createCommunity" | "editCommunity" | "closeCommunity"
>;

async function create(call: Call, tx: Db, input: Input<Operations["createCommunity"]>) {
  const { caller, now } = call;
  const { name, description = null, rules = null, aiPolicy = "open" } = input;
  if (isReservedName(name))
    throw new ApiError("invalid_name", "This name is reserved. Choose another one.", { field: "name" });
  await lockAccount(tx, caller.userId);
  await assertCanOwn(tx, caller.userId);
  await assertRoomToJoin(tx, caller.userId);
  const added = await tx
    .insertInto("communities")
    .values({
      name,
      description,
      rules,
      ai_policy: aiPolicy,
      created_at: now,
      active_at: now,
      picture_url: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!added) throw new ApiError("name_taken", undefined, { field: "name" });
  await addMember(tx, { communityId: added.id, userId: caller.userId, role: "owner", now });
  await logCurrent(tx, "community", added.id, now);
  return communityResponse(tx, name, call);
}

async function edit(call: Call, tx: Db, input: Input<Operations["editCommunity"]>) {
  const { name, description, rules, aiPolicy } = input;
  const { id, ...before } = await lockFor(tx, "editCommunity", name, call);
  const after = {
    description: description === undefined ? before.description : description,
    rules: rules === undefined ? before.rules : rules,
    ai_policy: aiPolicy ?? before.ai_policy,
  };
  await tx.updateTable("communities").set(after).where("id", "=", id).execute();
  if (description !== undefined || rules !== undefined) await logCurrent(tx, "community", id, call.now);
  const isChanged = (Object.keys(after) as (keyof typeof after)[]).some((key) => after[key] !== before[key]);
  if (isChanged) {
    const detail = { description, rules, aiPolicy };
    await recordAct(call, tx, { operation: "editCommunity", name, target: `community:${id}`, detail });
  }
  return communityResponse(tx, name, call);
}

async function close(call: Call, tx: Db, name: string) {
  const community = await lockCommunity(tx, name, call);
  assertPermitted("closeCommunity", community);
  if (community.closed_at === null) {
    await closeById(tx, community.id, call.now);
    await recordAct(call, tx, {
      ...{ operation: "closeCommunity", name, target: `community:${community.id}`, detail: {} },
    });
  }
  return communityResponse(tx, name, call);
}
