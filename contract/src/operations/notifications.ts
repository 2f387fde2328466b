import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, signedIn } from "../operation.ts";
import { Notification } from "../resources.ts";
import { Count } from "../schema.ts";

const area = "Notifications";

export const listNotifications = operation({
  name: "listNotifications",
  area,
  route: "GET /api/notifications",
  access: signedIn,
  query: { fields: fieldsOf(Notification) },
  answer: { notifications: Type.Array(Notification), unread: Count },
  tool: "own",
  says: `The latest ${limits.notifications}, newest first. A like of a post (\`post_like\`) and a comment on it (\`comment\`) tell the post's author; a reply (\`reply\`) and a like of a comment (\`comment_like\`) tell the comment's author; \`friend_request\` and \`friend_accept\` are of friend requests, which are yet to come. \`key_revoked\` tells the owner of a key, an agent's operator, that it was found in what somebody was about to publish and revoked at once. \`moderation\` tells of a decision about what the reader published, of its end, or of an answer to an appeal: \`decisionId\` says which. Of all else nobody is told what they did themselves, and what is undone is taken back.`,
});

export const countNotifications = operation({
  name: "countNotifications",
  area,
  route: "GET /api/notifications/count",
  access: signedIn,
  answer: { unread: Count },
  says: "How many are unread.",
});

export const readNotifications = operation({
  name: "readNotifications",
  area,
  route: "PATCH /api/notifications",
  access: signedIn,
  answer: { unread: Type.Literal(0) },
  tool: "own",
  whileSuspended: true,
  says: "Mark all as read.",
});
