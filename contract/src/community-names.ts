import type { Provenance } from "./provenance.ts";

/* Who may do what in a community. Without schemas, so that browser code can import the names alone. */

/** The roles of a community's members. */
export const communityRoles = ["owner", "moderator", "member"] as const;
export type CommunityRole = (typeof communityRoles)[number];

/** What an account is to a community. A `visitor` hasn't joined; accounts that aren't logged in are visitors, too. */
export const standings = [...communityRoles, "visitor", "banned"] as const;
export type Standing = (typeof standings)[number];

const staff = ["owner", "moderator"] as const satisfies Standing[];
const members = [...staff, "member"] as const satisfies Standing[];
const notBanned = [...members, "visitor"] as const satisfies Standing[];

/**
 * Who may do what, by the name of the operation. The server and the documents read this table. `createPost` and the other
 * operations that publish are restricted only for posts in a community.
 */
export const communityPermissions = {
  joinCommunity: notBanned,
  leaveCommunity: ["moderator", "member", "visitor", "banned"],
  createPost: members,
  editPost: notBanned,
  attachProduct: notBanned,
  createComment: notBanned,
  editComment: notBanned,
  editCommunity: staff,
  setCommunityPicture: staff,
  deleteCommunityPicture: staff,
  closeCommunity: ["owner"],
  listCommunityMembers: staff,
  setCommunityRole: ["owner"],
  approveCommunityAgent: staff,
  withdrawAgentApproval: staff,
  removeCommunityPost: staff,
  restoreCommunityPost: staff,
  removeCommunityComment: staff,
  restoreCommunityComment: staff,
  pinCommunityPost: staff,
  unpinCommunityPost: staff,
  listCommunityBans: staff,
  banFromCommunity: staff,
  liftCommunityBan: staff,
  listCommunityDecisions: staff,
  listCommunityCases: staff,
  resolveCommunityReports: staff,
} as const satisfies Record<string, readonly Standing[]>;

export type CommunityOperation = keyof typeof communityPermissions;

export const communityOperations = Object.keys(communityPermissions) as CommunityOperation[];

/** What admins of the service may do in every community, whatever they are to it and even if it is closed. */
export const adminOperations = [
  "editCommunity",
  "deleteCommunityPicture",
  "closeCommunity",
] as const satisfies CommunityOperation[];

export function isForAdmins(operation: CommunityOperation): boolean {
  return adminOperations.some((one) => one === operation);
}

export function isPermitted(operation: CommunityOperation, standing: Standing): boolean {
  return (communityPermissions[operation] as readonly Standing[]).includes(standing);
}

/** How a community treats AI content, from the most to the least open. */
export const aiPolicies = ["open", "marked", "approved_agents", "people_only"] as const;
export type AiPolicy = (typeof aiPolicies)[number];

interface AiRules {
  /** What a person's session can declare a post to be. */
  people: readonly Provenance[];
  /** Whether people have to say so, rather than have it assumed that no AI was involved. */
  mustDeclare: boolean;
  /** Which agents can publish. The keys of people can wherever all agents can. */
  agents: "all" | "approved" | "none";
}

export const aiRules = {
  open: { people: ["human", "ai_assisted", "ai_generated"], mustDeclare: false, agents: "all" },
  marked: { people: ["human", "ai_assisted", "ai_generated"], mustDeclare: true, agents: "all" },
  approved_agents: { people: ["human", "ai_assisted"], mustDeclare: false, agents: "approved" },
  people_only: { people: ["human"], mustDeclare: false, agents: "none" },
} as const satisfies Record<AiPolicy, AiRules>;

/** The orders in which communities can be listed. */
export const communityOrders = ["active", "new"] as const;
