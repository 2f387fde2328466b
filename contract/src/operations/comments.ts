import Type from "typebox";
import { whenPending } from "../drafts.ts";
import { byId, Cursor, fieldsOf, liking, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope } from "../operation.ts";
import { aiContents, Comment } from "../resources.ts";
import { Id, nullable, oneOf, optional, publicLine } from "../schema.ts";

const area = "Comments";
const Limit = Type.Integer({
  minimum: 1,
  maximum: limits.longList,
  description: `Comments on the page; ${limits.longList} if left out.`,
  examples: [limits.page.default],
});
const AiContents = oneOf(aiContents, {
  description: "In place of what the caller prefers: `hide` leaves out what AI wrote.",
});
const Body = publicLine(limits.commentBody, { examples: ["Well said."] });

export const listComments = operation({
  name: "listComments",
  area,
  route: "GET /api/posts/{id}/comments",
  access: anyone,
  params: byId,
  query: {
    limit: optional(Limit),
    cursor: optional(Cursor),
    ai: optional(AiContents),
    fields: fieldsOf(Comment),
  },
  answer: { comments: Type.Array(Comment), nextCursor: NextCursor },
  errors: ["not_found"],
  tool: "own",
  description:
    "A post's comments and replies, oldest first. Past `limit`, or fewer where they are long, a cursor leads on.",
});

export const createComment = operation({
  name: "createComment",
  area,
  route: "POST /api/posts/{id}/comments",
  access: scope("comments:write"),
  quota: "comments",
  params: byId,
  body: { body: Body, parentId: optional(nullable(Id)) },
  answer: { comment: Comment, ...whenPending },
  errors: ["not_found", "invalid_parent"],
  tool: "own",
  description: "Comment on a post, or reply to a comment of the same post.",
});

export const editComment = operation({
  name: "editComment",
  area,
  route: "PATCH /api/comments/{id}",
  access: scope("comments:write"),
  params: byId,
  body: { body: Body },
  answer: { comment: Comment, ...whenPending },
  errors: ["not_found", "forbidden"],
  tool: "own",
  description: "Edit a comment of one's own. An edit by a key stamps it as AI content.",
});

export const deleteComment = operation({
  name: "deleteComment",
  area,
  route: "DELETE /api/comments/{id}",
  access: scope("comments:write"),
  params: byId,
  answer: { deleted: Type.Literal(true) },
  errors: ["not_found", "forbidden"],
  tool: "own",
  description: "Delete a comment of one's own. Where it has replies, its empty place stays.",
});

export const likeComment = operation({
  name: "likeComment",
  area,
  route: "POST /api/comments/{id}/like",
  access: scope("engagement:write"),
  params: byId,
  answer: liking(true),
  errors: ["not_found"],
  effect: "sets",
  tool: "own",
  description: "Like a comment. Liking it again changes nothing.",
});

export const unlikeComment = operation({
  name: "unlikeComment",
  area,
  route: "DELETE /api/comments/{id}/like",
  access: scope("engagement:write"),
  params: byId,
  answer: liking(false),
  errors: ["not_found"],
  effect: "sets",
  description: "Take back a like of a comment.",
});
