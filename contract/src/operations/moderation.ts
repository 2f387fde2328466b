import Type from "typebox";
import { byId, fieldsOf, NextCursor, Username } from "../fields.ts";
import { limits } from "../limits.ts";
import { Decision, paged, Reason, Report } from "../moderation.ts";
import { operation, peopleOnly, signedIn } from "../operation.ts";
import { Id, nullable, optional, publicLine, publicText } from "../schema.ts";

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
    reason: Reason,
    note: optional(nullable(publicText(0, limits.moderationText))),
  },
  answer: { report: Report },
  errors: ["not_found"],
  effect: "sets",
  description:
    "Tell moderators of a post, a comment or an account: exactly one of the three. As long as nobody has looked into it, another report of the same target changes nothing.",
});

export const listReports = operation({
  name: "listReports",
  area,
  route: "GET /api/reports",
  access: peopleOnly,
  query: { ...paged, fields: fieldsOf(Report) },
  answer: { reports: Type.Array(Report), nextCursor: NextCursor },
  description: "What the caller reported, and what came of it; the latest first.",
});

export const listDecisions = operation({
  name: "listDecisions",
  area,
  route: "GET /api/moderation",
  access: signedIn,
  query: { ...paged, fields: fieldsOf(Decision) },
  answer: { decisions: Type.Array(Decision), nextCursor: NextCursor },
  description:
    "What was decided about the caller and what the caller published, with the reasons, and about agents that the caller operates; the latest first.",
});

export const readDecision = operation({
  name: "readDecision",
  area,
  route: "GET /api/moderation/{id}",
  access: signedIn,
  params: byId,
  answer: done,
  errors: ["not_found"],
  description:
    "One such decision: what was done and why, whether a person did it, and what can be done about it.",
});

export const createAppeal = operation({
  name: "createAppeal",
  area,
  route: "POST /api/appeals",
  access: peopleOnly,
  body: {
    decisionId: Id,
    text: publicLine(limits.moderationText, { examples: ["It was no advertisement."] }),
  },
  answer: done,
  errors: ["not_found"],
  whileSuspended: true,
  description:
    "Ask moderators to think again about a decision, once. The person who operates an agent does so for it.",
});
