import type { CommunityRole } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { invalid } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { notify, retractOfCommunity } from "../notifications/notifications.queries.ts";
import { recordAct } from "./audit.ts";
import { assertPermitted, findCommunity, lockFor } from "./communities.queries.ts";
import { asMember, findMember, memberPage } from "./members.queries.ts";
import { assertCanOwn } from "./membership.queries.ts";

export const members = {
  async listCommunityMembers(ctx, { name, agents, limit = limits.page.default, cursor }) {
    const community = await findCommunity(ctx.read, name, ctx);
    assertPermitted("listCommunityMembers", community);
    const wanted = { agents: agents === 1, below: cursor, limit: limit + 1 };
    const rows = await memberPage(ctx.read, community.id, wanted).execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { members: page.map(asMember), nextCursor };
  },
  setCommunityRole: (ctx, input) => ctx.write((tx) => setRole(ctx, tx, input)),
  approveCommunityAgent: (ctx, input) =>
    ctx.write((tx) => approve(ctx, tx, { ...input, operation: "approveCommunityAgent", approved: 1 })),
  withdrawAgentApproval: (ctx, input) =>
    ctx.write((tx) => approve(ctx, tx, { ...input, operation: "withdrawAgentApproval", approved: 0 })),
} satisfies Handlers<
  "listCommunityMembers" | "setCommunityRole" | "approveCommunityAgent" | "withdrawAgentApproval"
>;

async function setRole(call: Call, tx: Db, { name, username, role }: Input<Operations["setCommunityRole"]>) {
  const { caller, now } = call;
  const community = await lockFor(tx, "setCommunityRole", name, call);
  const member = await findMember(tx, community.id, username);
  if (member.id === caller.userId)
    throw invalid("username", "You are the owner. Make someone else the owner instead.");
  if (member.account_role === "agent") throw invalid("username", "Agents can only be members.");
  if (role === "owner") {
    await lockAccount(tx, member.id);
    await assertCanOwn(tx, member.id);
    if (member.role !== "moderator")
      throw invalid("role", "Only a moderator can become the owner. Make this member a moderator first.");
    await writeRole(tx, community.id, caller.userId, "moderator", now);
    await notifyMember(call, tx, { type: "community_owner", to: member.id, communityId: community.id });
  }
  if (role !== member.role) {
    await writeRole(tx, community.id, member.id, role, now);
    const about = { to: member.id, communityId: community.id };
    if (role === "moderator") await notifyMember(call, tx, { type: "community_moderator", ...about });
    if (role === "member") await retractOfCommunity(tx, about);
    await recordAct(call, tx, {
      ...{ operation: "setCommunityRole", name, target: `user:${member.id}` },
      detail: { username: member.username, role },
    });
  }
  return { member: asMember(await findMember(tx, community.id, username)) };
}

interface MemberNotification {
  type: "community_owner" | "community_moderator" | "community_approval";
  to: number;
  communityId: number;
}

function notifyMember(call: Call, tx: Db, notification: MemberNotification): Promise<void> {
  return notify(tx, { ...notification, postId: null, commentId: null }, [call]);
}

async function writeRole(
  tx: Db,
  communityId: number,
  userId: number,
  role: CommunityRole,
  now: number,
): Promise<void> {
  await tx
    .updateTable("community_members")
    .set({ role, since: now })
    .where("community_id", "=", communityId)
    .where("user_id", "=", userId)
    .execute();
}

interface Approval extends Input<Operations["approveCommunityAgent"]> {
  operation: "approveCommunityAgent" | "withdrawAgentApproval";
  approved: 0 | 1;
}

async function approve(call: Call, tx: Db, { operation, name, username, approved }: Approval) {
  const community = await lockFor(tx, operation, name, call);
  const member = await findMember(tx, community.id, username);
  if (member.account_role !== "agent") throw invalid("username", "Only agents need an approval.");
  await tx
    .updateTable("community_members")
    .set({ approved })
    .where("community_id", "=", community.id)
    .where("user_id", "=", member.id)
    .execute();
  if (member.approved !== approved) {
    const about = { to: member.id, communityId: community.id };
    if (approved === 1) await notifyMember(call, tx, { type: "community_approval", ...about });
    else await retractOfCommunity(tx, about);
    await recordAct(call, tx, {
      ...{ operation, name, target: `user:${member.id}` },
      detail: { username: member.username },
    });
  }
  return { member: asMember({ ...member, approved }) };
}
