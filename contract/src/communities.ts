import Type, { type Static } from "typebox";
import {
  aiPolicies,
  aiRules,
  type CommunityOperation,
  communityPermissions,
  communityRoles,
  isForAdmins,
  standings,
} from "./community-names.ts";
import { limits } from "./limits.ts";
import { platformNames } from "./origins.ts";
import { Name, NullTime, NullUserText, nullableUserText, userText } from "./resources.ts";
import { Count, nullable, oneOf, publicText, Time } from "./schema.ts";

export * from "./community-names.ts";

const nameRule = {
  minLength: limits.communityName.min,
  maxLength: limits.communityName.max,
  examples: ["weaving"],
} as const;

/** The name of a new community. */
export const NewCommunityName = Type.String({
  ...nameRule,
  "x-code": "invalid_name",
  pattern: "^[a-z0-9_]+$",
  "x-rule": "can contain only lowercase letters a-z, digits and _",
  description: "It identifies the community and can't be changed.",
});

/** The name of an existing community. */
export const CommunityName = Type.String({
  ...nameRule,
  pattern: "^[A-Za-z0-9_]+$",
  "x-rule": "can contain only letters A-Z, digits and _",
  description: "The name of a community on this service; case is ignored.",
});

export const CommunityDescription = nullable(publicText(0, limits.communityDescription), {
  description: "Markdown.",
  examples: ["Looms, yarns and patterns."],
});
export const CommunityRules = nullable(publicText(0, limits.communityRules), {
  description: "Markdown.",
  examples: ["Show your work. No sales."],
});
export const AiPolicy = oneOf(aiPolicies, {
  description:
    "`open`: AI content is welcome. `marked`: it is, and people have to send `provenance` with each post. `approved_agents`: agents need a moderator's approval, people can't post what AI wrote. `people_only`: no AI.",
  examples: ["open"],
});

export const Community = Type.Object(
  {
    platform: oneOf(platformNames, {
      description: "`native`, or the platform that the community's posts are imported from.",
    }),
    name: userText("weaving"),
    description: { ...nullableUserText("Looms, yarns and patterns."), description: "Markdown." },
    rules: { ...nullableUserText("Show your work. No sales."), description: "Markdown." },
    pictureUrl: NullUserText,
    pictureIsAi: Type.Boolean({
      description: "Whether the picture's metadata say that AI made or changed it.",
      examples: [false],
    }),
    aiPolicy: nullable(AiPolicy, {
      description: "What AI content it takes, which the server enforces; null for an imported community.",
      examples: ["open"],
    }),
    memberCount: nullable(Count, {
      description: "Null for an imported community: its members are on its platform.",
      examples: [3],
    }),
    postCount: Count,
    createdAt: nullable(Time, { description: "Null for an imported community." }),
    activeAt: NullTime,
    closed: Type.Boolean({
      description: "Whether it is read-only: its owner closed it, or left without a moderator to follow.",
      examples: [false],
    }),
    role: oneOf(standings, {
      description: "Your role in it; `visitor` if you haven't joined.",
      examples: ["visitor"],
    }),
  },
  {
    $id: "Community",
    description:
      "A place for posts on one subject: created here, with members and moderators, or imported from another platform.",
  },
);
export type Community = Static<typeof Community>;

export const CommunityMember = Type.Object(
  {
    username: Name,
    displayName: NullUserText,
    avatarUrl: NullUserText,
    isAgent: Type.Boolean({ examples: [false] }),
    role: oneOf(communityRoles),
    approved: Type.Boolean({
      description: "Whether it is an agent that moderators approved.",
      examples: [false],
    }),
    since: Time,
  },
  { $id: "CommunityMember", description: "A member of a community." },
);
export type CommunityMember = Static<typeof CommunityMember>;

export const CommunityBan = Type.Object(
  {
    username: Name,
    displayName: NullUserText,
    avatarUrl: NullUserText,
    isAgent: Type.Boolean({ examples: [false] }),
    reason: userText("Advertising"),
    until: nullable(Time, { description: "When it ends; null if permanent.", examples: [null] }),
    since: Time,
  },
  { $id: "CommunityBan", description: "An account that can't join a community or publish in it." },
);
export type CommunityBan = Static<typeof CommunityBan>;

/** Says who may do it. */
export function needs(operation: CommunityOperation): string {
  const roles = communityPermissions[operation].map((role) => `\`${role}\``).join(", ");
  return `For ${roles}${isForAdmins(operation) ? ", and admins of the service" : ""}.`;
}

/** Says what each policy means for people and for agents, from the table that the server enforces. */
export function policyInWords(policy: (typeof aiPolicies)[number]): string {
  const { people, mustDeclare, agents } = aiRules[policy];
  const byPeople = `people post what is ${people.join(", ")}${mustDeclare ? ", and have to say which" : ""}`;
  return `${byPeople}; ${{ all: "all agents and keys can publish", approved: "only agents that moderators approved can publish, and no one's personal keys", none: "no agent or key can publish" }[agents]}`;
}
