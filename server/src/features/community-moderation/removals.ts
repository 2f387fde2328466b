import type { CommunityOperation } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import type { CommunityDecision } from "@tandem/contract/moderation";
import type { CommunityAct } from "@tandem/contract/moderation-names";
import { MAX_ID } from "@tandem/contract/schema";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { recordAct } from "../communities/audit.ts";
import {
  assertPermitted,
  type FoundCommunity,
  findCommunity,
  lockCommunity,
} from "../communities/communities.queries.ts";
import {
  isForAdmins,
  type Moderated,
  type Removable,
  removableComment,
  removablePost,
  remove,
  restore,
} from "../moderation/decide.ts";
import {
  asDecision,
  type FoundDecision,
  latestAbout,
  selectDecisions,
} from "../moderation/decisions.queries.ts";
import { communityOfPost } from "../posts/moderation-removal.ts";

export const communityRemovals = {
  removeCommunityPost: (ctx, input) =>
    ctx.write((tx) => removeFrom(ctx, tx, removablePost, { ...input, operation: "removeCommunityPost" })),
  removeCommunityComment: (ctx, input) =>
    ctx.write((tx) =>
      removeFrom(ctx, tx, removableComment, { ...input, operation: "removeCommunityComment" }),
    ),
  restoreCommunityPost: (ctx, input) =>
    ctx.write((tx) => restoreIn(ctx, tx, removablePost, { ...input, operation: "restoreCommunityPost" })),
  restoreCommunityComment: (ctx, input) =>
    ctx.write((tx) =>
      restoreIn(ctx, tx, removableComment, { ...input, operation: "restoreCommunityComment" }),
    ),
  async listCommunityDecisions(ctx, { name, limit = limits.page.default, cursor = MAX_ID }) {
    const community = await findCommunity(ctx.read, name, ctx);
    assertPermitted("listCommunityDecisions", community);
    const rows = await decisionsOf(ctx.read, community.id, { below: cursor, limit: limit + 1 }).execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { decisions: page.map((row) => asCommunityDecision(row, ctx.now)), nextCursor };
  },
} satisfies Handlers<
  | "removeCommunityPost"
  | "removeCommunityComment"
  | "restoreCommunityPost"
  | "restoreCommunityComment"
  | "listCommunityDecisions"
>;

interface Act {
  operation: CommunityOperation;
  name: string;
  id: number;
}

async function removeFrom<T extends Moderated>(
  call: Call,
  tx: Db,
  what: Removable<T>,
  { reason, ...act }: Act & { reason: string },
) {
  const { community, item } = await lockIn(call, tx, what, act);
  const before = item.removed === 1 ? await latestAbout(tx, what.about(item)) : undefined;
  // What the service's admins removed isn't for a community's moderators to see.
  if (before?.act === what.acts.remove) throw notFound(what.kind);
  if (before?.act === what.acts.hold && (await isForAdmins(tx, await ownedIn(tx, community, what, item))))
    throw leftToAdmins(what);
  const decision = await remove(tx, what, act.id, { reason, communityId: community.id, now: call.now });
  if (decision.id !== before?.id)
    await recordAct(call, tx, { ...act, target: `${what.kind}:${act.id}`, detail: { reason } });
  return { decision: asCommunityDecision(decision, call.now) };
}

async function ownedIn<T extends Moderated>(
  tx: Db,
  { id: communityId }: FoundCommunity,
  what: Removable<T>,
  item: T,
) {
  return { kind: what.kind, targetId: item.id, owner: await what.owner(tx, item), communityId };
}

function leftToAdmins({ kind }: { kind: string }): ApiError {
  return new ApiError("forbidden", `The service's admins decide about this ${kind}.`);
}

async function restoreIn<T extends Moderated>(call: Call, tx: Db, what: Removable<T>, act: Act) {
  const { item } = await lockIn(call, tx, what, act);
  const before = await latestAbout(tx, what.about(item));
  if (before?.act !== what.acts.inCommunity)
    throw item.removed === 1 ? leftToAdmins(what) : notFound(what.kind);
  const decision = await restore(tx, what, act.id, call.now, "community");
  if (item.removed === 1) await recordAct(call, tx, { ...act, target: `${what.kind}:${act.id}`, detail: {} });
  return { decision: asCommunityDecision(decision, call.now) };
}

/**
 * Locks a post or comment, removed or not, and then its community. Throws `not_found` if it isn't in this community, and what
 * {@link assertPermitted} throws.
 */
async function lockIn<T extends Moderated>(
  call: Call,
  tx: Db,
  what: Removable<T>,
  { operation, name, id }: Act,
): Promise<{ community: FoundCommunity; item: T }> {
  // First, so that callers without permission lock nothing.
  assertPermitted(operation, await findCommunity(tx, name, call));
  const item = await what.lock(tx, id);
  const community = await lockCommunity(tx, name, call);
  assertPermitted(operation, community);
  const { post_id } = what.about(item);
  if (post_id === null || (await communityOfPost(tx, post_id)) !== community.name) throw notFound(what.kind);
  return { community, item };
}

/** What a community's moderators decided, newest first. */
export function decisionsOf(db: Db, communityId: number, { below, limit }: { below: number; limit: number }) {
  return selectDecisions(db).where("d.community_id", "=", communityId).where("d.id", "<", below).limit(limit);
}

/** Without what only the account concerned and the service's admins see. */
export function asCommunityDecision(row: FoundDecision, now: number): CommunityDecision {
  const decision = asDecision(row, now);
  const { id, postId, commentId, username, displayName, excerpt, ...rest } = decision;
  const { excerptProvenance, excerptProvenanceBasis, reason, until, stands, createdAt } = rest;
  // Others have no community, or aren't returned here.
  const act = row.act as CommunityAct;
  const quote = { excerpt, excerptProvenance, excerptProvenanceBasis };
  return { id, postId, commentId, username, displayName, ...quote, reason, act, until, stands, createdAt };
}
