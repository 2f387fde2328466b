import { addMember } from "@tandem/server/features/communities/membership.queries";
import type { Storage } from "@tandem/server/storage/storage";
import { type AgentCaller, type Caller, type Person, uniqueName } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

export interface CommunityFixtures {
  /** A community of the person. */
  own: string;
  /** A member of it, besides the person's agent. */
  member: string;
  /** Someone else's community. */
  other: string;
  /** An account that is banned from the first one. */
  banned: string;
  /** The member's post in it, and a comment on it. */
  postId: number;
  commentId: number;
  /** What its moderators removed. */
  removedPostId: number;
  removedCommentId: number;
  /** Reports of the comment. */
  caseId: number;
}

/** Placeholders for when no fixtures were created. */
export const noCommunities: CommunityFixtures = {
  own: "none_here",
  member: "nobody_here",
  other: "none_there",
  banned: "nobody_there",
  ...{ postId: 1, commentId: 1, removedPostId: 1, removedCommentId: 1, caseId: 1 },
};

/** A name that no community has yet. */
export const communityName = (prefix = "community") =>
  uniqueName(prefix)
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, "_");

export async function makeCommunities({ as, storage }: Tandem, person: Person, agent: AgentCaller) {
  const [member, banned] = [await as.human(), await as.human()];
  return foundCommunities(storage, person, agent, {
    ...{ own: communityName(), other: communityName(), banned: banned.user.username },
    member: { username: member.user.username, caller: member },
  });
}

interface Names {
  own: string;
  other: string;
  banned: string;
  member: { username: string; caller: Caller };
}

/** Creates a community of the person and one of the member. The member and the agent join the first. */
export async function foundCommunities(
  storage: Storage,
  person: Caller,
  { agent }: AgentCaller,
  { own, other, member, banned }: Names,
): Promise<CommunityFixtures> {
  await person.createCommunity({ name: own, description: "Looms, yarns and patterns." });
  await member.caller.createCommunity({ name: other });
  await member.caller.joinCommunity({ name: own });
  await plantMember(storage, own, agent.id);
  const shown = await writeIn(member.caller, own, "heddles");
  const removed = await writeIn(member.caller, own, "shafts");
  const reason = "Not about weaving";
  await person.removeCommunityComment({ name: own, id: removed.commentId, reason });
  await person.removeCommunityPost({ name: own, id: removed.postId, reason });
  await person.banFromCommunity({ name: own, username: banned, reason });
  await person.createReport({ commentId: shown.commentId, reason: "Advertising" });
  const { cases } = await person.listCommunityCases({ name: own });
  return {
    ...{ own, other, member: member.username, banned, ...shown, caseId: cases[0]?.id ?? 0 },
    ...{ removedPostId: removed.postId, removedCommentId: removed.commentId },
  };
}

/** A post in a community, and a comment on it. */
async function writeIn(caller: Caller, community: string, topic: string) {
  const { post } = await caller.createPost({ title: `On ${topic}`, community });
  const { comment } = await caller.createComment({ id: post.id, body: `And more on ${topic}` });
  return { postId: post.id, commentId: comment.id };
}

/** Makes an agent a member without using up its quotas. */
function plantMember({ write }: Storage, name: string, userId: number): Promise<void> {
  return write(async (tx) => {
    const { id } = await tx
      .selectFrom("communities")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    await addMember(tx, { communityId: id, userId, role: "member", now: Date.UTC(2026, 0, 31) });
  });
}

/** A valid input for each operation on communities. */
export function communityInputs(fixtures: CommunityFixtures, agent: string) {
  const { own, other, member, banned, postId, commentId, removedPostId, removedCommentId, caseId } = fixtures;
  const name = { name: own };
  const reason = "Advertising";
  return {
    listCommunities: { limit: 5 },
    createCommunity: {
      ...{ name: communityName("new"), description: "Looms, yarns and patterns.", rules: "Show your work." },
      aiPolicy: "marked" as const,
    },
    readCommunity: name,
    editCommunity: { ...name, description: null, rules: "Be kind.", aiPolicy: "approved_agents" as const },
    deleteCommunityPicture: name,
    closeCommunity: name,
    joinCommunity: { name: other },
    leaveCommunity: { name: other },
    listCommunityMembers: { ...name, limit: 5 },
    setCommunityRole: { ...name, username: member, role: "moderator" as const },
    approveCommunityAgent: { ...name, username: agent },
    withdrawAgentApproval: { ...name, username: agent },
    removeCommunityPost: { ...name, id: postId, reason },
    restoreCommunityPost: { ...name, id: removedPostId },
    removeCommunityComment: { ...name, id: commentId, reason },
    restoreCommunityComment: { ...name, id: removedCommentId },
    listCommunityDecisions: { ...name, limit: 5 },
    pinCommunityPost: { ...name, id: postId },
    unpinCommunityPost: { ...name, id: postId },
    listCommunityBans: { ...name, limit: 5 },
    banFromCommunity: { ...name, username: member, reason, until: "2100-01-31T00:00:00.000Z" },
    liftCommunityBan: { ...name, username: banned },
    listCommunityCases: { ...name, limit: 5 },
    resolveCommunityReports: { ...name, ids: [caseId], action: "remove" as const, reason },
  };
}
