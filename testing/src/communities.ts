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
}

/** Placeholders for when no fixtures were created. */
export const noCommunities: CommunityFixtures = {
  own: "none_here",
  member: "nobody_here",
  other: "none_there",
};

/** A name that no community has yet. */
export const communityName = (prefix = "community") =>
  uniqueName(prefix)
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, "_");

export async function makeCommunities({ as, storage }: Tandem, person: Person, agent: AgentCaller) {
  const member = await as.human();
  return foundCommunities(storage, person, agent, {
    ...{ own: communityName(), other: communityName() },
    member: { username: member.user.username, caller: member },
  });
}

interface Names {
  own: string;
  other: string;
  member: { username: string; caller: Caller };
}

/** Creates a community of the person and one of the member. The member and the agent join the first. */
export async function foundCommunities(
  storage: Storage,
  person: Caller,
  { agent }: AgentCaller,
  { own, other, member }: Names,
): Promise<CommunityFixtures> {
  await person.createCommunity({ name: own, description: "Looms, yarns and patterns." });
  await member.caller.createCommunity({ name: other });
  await member.caller.joinCommunity({ name: own });
  await plantMember(storage, own, agent.id);
  return { own, other, member: member.username };
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
export function communityInputs({ own, other, member }: CommunityFixtures, agent: string) {
  const name = { name: own };
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
  };
}
