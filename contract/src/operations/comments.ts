import Type from "typebox";
import { byId, Cursor, fieldsOf, liking, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope, sessionOnly, signedIn } from "../operation.ts";
import { OriginComment } from "../origin-comments.ts";
import { Comment, commentOrders } from "../post-resources.ts";
import { AiContents, Name } from "../resources.ts";
import { filledText, Id, nullable, oneOf, optional } from "../schema.ts";
import { CommentVersion, clearedCount, nextVersions, versionPage } from "../versions.ts";

const area = "Comments";
const Limit = Type.Integer({
  minimum: 1,
  maximum: limits.longList,
  description: `Comments per page; ${limits.longList} by default.`,
  examples: [limits.page.default],
});
const MutedComments = oneOf(["show"], {
  description: "Show the text of comments that you mute, too.",
  "x-no-tool": true,
});
const Body = filledText(limits.commentBody, {
  description: "Markdown.",
  examples: ["Well said."],
});

export const listComments = operation({
  name: "listComments",
  area,
  route: "GET /api/posts/{id}/comments",
  access: anyone,
  params: byId,
  query: {
    limit: optional(Limit),
    cursor: optional(Cursor),
    sort: optional(
      oneOf(commentOrders, {
        description: "`old`: oldest first, `new`: newest first, `best`: most liked first; `old` by default.",
      }),
    ),
    ai: optional(AiContents),
    muted: optional(MutedComments),
    fields: fieldsOf(Comment),
  },
  response: { comments: Type.Array(Comment), nextCursor: NextCursor },
  errors: ["not_found"],
  exposure: "tool",
  description:
    "List a post's comments and replies, oldest first or as `sort` says, whatever they reply to. Pages of long comments end before `limit`.",
});

export const listOriginComments = operation({
  name: "listOriginComments",
  area,
  route: "GET /api/posts/{id}/origin-comments",
  access: anyone,
  params: byId,
  query: { ai: optional(AiContents), muted: optional(MutedComments) },
  response: {
    comments: Type.Array(OriginComment, {
      description: `The best ones, each before its replies; at most ${limits.originComments}.`,
    }),
    isReadable: Type.Boolean({
      description:
        "Whether comments can be read from there. If not, `comments` is empty: the post was made here, or its platform doesn't offer them.",
    }),
    more: nullable(Type.String({ "x-user-text": true }), {
      description: "The page with all of them, if the post was imported.",
      examples: ["https://www.reddit.com/r/engines/comments/1abcd/on_engines/"],
    }),
  },
  errors: ["not_found", "origin_unavailable", "rate_limited"],
  description:
    "Read the comments that an imported post has on its origin platform. They are fetched from there, at most every ten minutes, and aren't stored here.",
});

export const readComment = operation({
  name: "readComment",
  area,
  route: "GET /api/comments/{id}",
  access: anyone,
  params: byId,
  query: { ai: optional(AiContents), muted: optional(MutedComments) },
  response: {
    comment: Comment,
    ancestors: Type.Array(Comment, {
      description: `The comments that it replies to, the topmost first; the nearest ${limits.ancestors} if there are more.`,
      examples: [[]],
    }),
  },
  errors: ["not_found"],
  description: "Get a comment with the thread above it.",
});

export const listOwnComments = operation({
  name: "listOwnComments",
  area,
  route: "GET /api/comments",
  access: signedIn,
  query: {
    mine: Type.Unsafe<1>({ type: "integer", enum: [1], description: "Required.", examples: [1] }),
    limit: optional(PageSize),
    cursor: optional(Cursor),
    fields: fieldsOf(Comment),
  },
  response: { comments: Type.Array(Comment), nextCursor: NextCursor },
  description: "List your own comments, newest first. Those that a moderator removed are shown as deleted.",
});

export const createComment = operation({
  name: "createComment",
  area,
  route: "POST /api/posts/{id}/comments",
  access: scope("comments:write"),
  quota: "comments",
  params: byId,
  body: { body: Body, parentId: optional(nullable(Id)) },
  response: { comment: Comment },
  errors: ["not_found", "invalid_parent", "forbidden", "ai_policy", "community_banned", "community_closed"],
  exposure: "tool",
  description: "Comment on a post, or reply to a comment on it.",
});

export const editComment = operation({
  name: "editComment",
  area,
  route: "PATCH /api/comments/{id}",
  access: scope("comments:write"),
  params: byId,
  body: { body: Body },
  response: { comment: Comment },
  errors: ["not_found", "forbidden", "ai_policy", "community_banned", "community_closed"],
  exposure: "tool",
  description: "Edit your own comment. An edit by a key marks it as AI content.",
});

export const listCommentVersions = operation({
  name: "listCommentVersions",
  area,
  route: "GET /api/comments/{id}/versions",
  access: anyone,
  params: byId,
  query: { ...versionPage, fields: fieldsOf(CommentVersion) },
  response: { versions: Type.Array(CommentVersion), postId: Id, username: Name, ...nextVersions },
  errors: ["not_found"],
  description:
    "List a comment's versions, latest first, beginning with what it shows now. Missing numbers are versions that aren't kept.",
});

export const clearCommentVersions = operation({
  name: "clearCommentVersions",
  area,
  route: "DELETE /api/comments/{id}/versions",
  access: sessionOnly,
  params: byId,
  response: clearedCount,
  errors: ["not_found", "forbidden"],
  whileSuspended: true,
  description:
    "Remove the content of your own comment's earlier versions. The list keeps each version's time, maker and AI mark, and says that you cleared it.",
});

export const deleteComment = operation({
  name: "deleteComment",
  area,
  route: "DELETE /api/comments/{id}",
  access: scope("comments:write"),
  params: byId,
  response: { deleted: Type.Literal(true) },
  errors: ["not_found", "forbidden"],
  exposure: "tool",
  whileSuspended: true,
  description: "Delete your own comment. If it has replies, an empty placeholder stays.",
});

export const likeComment = operation({
  name: "likeComment",
  area,
  route: "POST /api/comments/{id}/like",
  access: scope("engagement:write"),
  params: byId,
  response: liking(true),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  exposure: "tool",
  description: "Like a comment. Liking it again has no effect.",
});

export const unlikeComment = operation({
  name: "unlikeComment",
  area,
  route: "DELETE /api/comments/{id}/like",
  access: scope("engagement:write"),
  params: byId,
  response: liking(false),
  errors: ["not_found"],
  effect: "sets",
  description: "Unlike a comment.",
});
