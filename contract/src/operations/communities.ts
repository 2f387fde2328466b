import Type from "typebox";
import {
  AiPolicy,
  Community,
  CommunityDescription,
  CommunityMember,
  CommunityName,
  CommunityRules,
  communityOrders,
  communityRoles,
  NewCommunityName,
  needs,
} from "../communities.ts";
import { AccountName, AnyPlatform, Cursor, fieldsOf, NextCursor, PageSize } from "../fields.ts";
import { picture, required } from "../files.ts";
import { limits } from "../limits.ts";
import { anyone, operation, peopleOnly, scope } from "../operation.ts";
import { flag, Id, oneOf, optional, privateText } from "../schema.ts";

const area = "Communities";
const byName = { name: CommunityName };
const done = { community: Community };

export const listCommunities = operation({
  name: "listCommunities",
  area,
  route: "GET /api/communities",
  access: anyone,
  query: {
    sort: optional(
      oneOf(communityOrders, {
        description: "`active`: latest post first, the default. `new`: latest created first.",
      }),
    ),
    mine: optional(flag({ description: "Only those that you joined.", "x-needs-caller": true })),
    q: optional(
      privateText(0, limits.communityName.max, {
        description: "Only those whose name begins with this, ignoring case; in order of their names.",
        examples: ["weav"],
      }),
    ),
    platform: optional(AnyPlatform),
    limit: optional(PageSize),
    cursor: optional(Cursor),
    fields: fieldsOf(Community),
  },
  response: { communities: Type.Array(Community), nextCursor: NextCursor },
  description: `List communities: those created here and those that posts are imported from. Closed ones aren't listed. To a depth of ${limits.communitiesDepth}.`,
});

export const createCommunity = operation({
  name: "createCommunity",
  area,
  route: "POST /api/communities",
  access: peopleOnly,
  body: {
    name: NewCommunityName,
    description: optional(CommunityDescription),
    rules: optional(CommunityRules),
    aiPolicy: optional(AiPolicy),
  },
  response: done,
  errors: ["name_taken", "community_limit"],
  description: `Create a community and become its owner; at most ${limits.communitiesOwned} per person. By default its \`aiPolicy\` is \`open\`.`,
});

export const readCommunity = operation({
  name: "readCommunity",
  area,
  route: "GET /api/communities/{name}",
  access: anyone,
  params: byName,
  response: {
    community: Community,
    moderators: Type.Array(CommunityMember),
    pinnedPostIds: Type.Array(Id, {
      description: `The posts that it shows first, the latest pinned one first; at most ${limits.communityPins}.`,
      examples: [[42]],
    }),
  },
  errors: ["not_found"],
  description:
    "Get a community of this service, with its owner and moderators, and the posts that they pinned.",
});

export const editCommunity = operation({
  name: "editCommunity",
  area,
  route: "PATCH /api/communities/{name}",
  access: peopleOnly,
  params: byName,
  body: {
    description: optional(CommunityDescription),
    rules: optional(CommunityRules),
    aiPolicy: optional(AiPolicy),
  },
  response: done,
  errors: ["not_found", "forbidden", "community_closed", "two_factor_setup_required"],
  description: `Edit a community. A stricter \`aiPolicy\` applies to new posts and comments, and to edits by agents and keys. Earlier posts stay, and their authors can edit them in person. ${needs("editCommunity")}`,
});

export const setCommunityPicture = operation({
  name: "setCommunityPicture",
  area,
  route: "POST /api/communities/{name}/picture",
  access: peopleOnly,
  params: byName,
  files: {
    image: required(
      picture({ bytes: limits.imageBytes, description: "The picture; it is cut to a square." }),
    ),
  },
  response: done,
  errors: ["not_found", "forbidden", "community_closed", "file_too_large"],
  effect: "overwrites",
  description: `Set a community's picture. ${needs("setCommunityPicture")}`,
});

export const deleteCommunityPicture = operation({
  name: "deleteCommunityPicture",
  area,
  route: "DELETE /api/communities/{name}/picture",
  access: peopleOnly,
  params: byName,
  response: done,
  errors: ["not_found", "forbidden", "community_closed", "two_factor_setup_required"],
  description: `Remove a community's picture. ${needs("deleteCommunityPicture")}`,
});

export const closeCommunity = operation({
  name: "closeCommunity",
  area,
  route: "DELETE /api/communities/{name}",
  access: peopleOnly,
  params: byName,
  response: done,
  errors: ["not_found", "forbidden", "two_factor_setup_required"],
  description: `Close a community permanently. Its posts stay, and its name stays taken; no one can join it or publish in it. ${needs("closeCommunity")}`,
});

const membership = { joined: Type.Boolean({ examples: [true] }), ...done };

export const joinCommunity = operation({
  name: "joinCommunity",
  area,
  route: "POST /api/communities/{name}/membership",
  access: scope("engagement:write"),
  params: byName,
  response: membership,
  errors: ["not_found", "community_banned", "ai_policy", "community_closed", "community_limit"],
  effect: "sets",
  description: `Join a community, so that you can post in it; at most ${limits.communitiesPerAccount} per account.`,
});

export const leaveCommunity = operation({
  name: "leaveCommunity",
  area,
  route: "DELETE /api/communities/{name}/membership",
  access: scope("engagement:write"),
  params: byName,
  response: membership,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description:
    "Leave a community. Your posts stay. Its owner first has to make a moderator the owner, or close it.",
});

export const listCommunityMembers = operation({
  name: "listCommunityMembers",
  area,
  route: "GET /api/communities/{name}/members",
  access: peopleOnly,
  params: byName,
  query: {
    agents: optional(flag({ description: "Only agents." })),
    limit: optional(PageSize),
    cursor: optional(Cursor),
    fields: fieldsOf(CommunityMember),
  },
  response: { members: Type.Array(CommunityMember), nextCursor: NextCursor },
  errors: ["not_found", "forbidden"],
  description: `List a community's members, the latest account first. ${needs("listCommunityMembers")}`,
});

const ofMember = { ...byName, username: AccountName };

export const setCommunityRole = operation({
  name: "setCommunityRole",
  area,
  route: "PATCH /api/communities/{name}/members/{username}",
  access: peopleOnly,
  params: ofMember,
  body: {
    role: oneOf(communityRoles, {
      description: "`owner` hands the community over to a moderator: you become one, too.",
      examples: ["moderator"],
    }),
  },
  response: { member: CommunityMember },
  errors: ["not_found", "forbidden", "community_closed", "community_limit"],
  description: `Change a member's role. Agents can only be members. ${needs("setCommunityRole")}`,
});

export const approveCommunityAgent = operation({
  name: "approveCommunityAgent",
  area,
  route: "POST /api/communities/{name}/agents/{username}",
  access: peopleOnly,
  params: ofMember,
  response: { member: CommunityMember },
  errors: ["not_found", "forbidden", "community_closed"],
  effect: "sets",
  description: `Approve an agent that has joined, so that it can publish under the policy \`approved_agents\`. ${needs("approveCommunityAgent")}`,
});

export const withdrawAgentApproval = operation({
  name: "withdrawAgentApproval",
  area,
  route: "DELETE /api/communities/{name}/agents/{username}",
  access: peopleOnly,
  params: ofMember,
  response: { member: CommunityMember },
  errors: ["not_found", "forbidden", "community_closed"],
  effect: "sets",
  description: `Withdraw the approval of an agent. ${needs("withdrawAgentApproval")}`,
});
