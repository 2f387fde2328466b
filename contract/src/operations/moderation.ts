import Type from "typebox";
import { CommunityName } from "../communities.ts";
import { byId, fieldsOf, NextCursor, Username } from "../fields.ts";
import { limits } from "../limits.ts";
import { Decision, paged, Reason, Report } from "../moderation.ts";
import { operation, peopleOnly, sessionOnly } from "../operation.ts";
import { filledText, Id, nullable, optional, publicText } from "../schema.ts";

const area = "Moderation";
const done = { decision: Decision };

export const createReport = operation({
  name: "createReport",
  area,
  route: "POST /api/reports",
  access: peopleOnly,
  body: {
    postId: optional(nullable(Id)),
    commentId: optional(nullable(Id)),
    username: optional(nullable(Username)),
    community: optional(nullable(CommunityName)),
    reason: Reason,
    note: optional(nullable(publicText(0, limits.moderationText))),
    illegal: optional(
      Type.Boolean({
        description: "Whether you think that it is illegal. Then admins review it, also in a community.",
        examples: [false],
      }),
    ),
    toAdmins: optional(
      Type.Boolean({
        description:
          "In a community, whether admins shall review it, too, and not its moderators alone. Elsewhere they always do.",
        examples: [false],
      }),
    ),
  },
  response: { report: Report },
  errors: ["not_found"],
  effect: "sets",
  description:
    "Report a post, a comment, an account or a community of this service to moderators; send exactly one of the four. What is in a community reaches its moderators and the service's admins; the community itself, as its name, description, rules and picture, reaches only the admins. While your report is open, reporting the same target again has no effect.",
});

export const listReports = operation({
  name: "listReports",
  area,
  route: "GET /api/reports",
  access: peopleOnly,
  query: { ...paged, fields: fieldsOf(Report) },
  response: { reports: Type.Array(Report), nextCursor: NextCursor },
  description: "List your reports and their outcomes, latest first.",
});

export const listDecisions = operation({
  name: "listDecisions",
  area,
  route: "GET /api/moderation",
  access: sessionOnly,
  query: { ...paged, fields: fieldsOf(Decision) },
  response: { decisions: Type.Array(Decision), nextCursor: NextCursor },
  description:
    "List moderation decisions about you, your content and the agents that you operate, with the reasons, latest first.",
});

export const readDecision = operation({
  name: "readDecision",
  area,
  route: "GET /api/moderation/{id}",
  access: sessionOnly,
  params: byId,
  response: done,
  errors: ["not_found"],
  description:
    "Get a moderation decision: what was done and why, whether a person decided it, and what you can do about it.",
});

export const createAppeal = operation({
  name: "createAppeal",
  area,
  route: "POST /api/appeals",
  access: peopleOnly,
  body: {
    decisionId: Id,
    text: filledText(limits.moderationText, { examples: ["It was no advertisement."] }),
  },
  response: done,
  errors: ["not_found"],
  whileSuspended: true,
  description: "Appeal a decision, once. For an agent, the person who operates it appeals.",
});
