import Type from "typebox";
import { Correspondent, Cursor, fieldsOf, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, sessionOnly } from "../operation.ts";
import { Conversation, Message } from "../people.ts";
import { Count, optional, publicLine } from "../schema.ts";

const area = "Messages";
const params = { username: Correspondent };

export const listConversations = operation({
  name: "listConversations",
  area,
  route: "GET /api/messages",
  access: sessionOnly,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Conversation) },
  answer: { conversations: Type.Array(Conversation), unread: Count, nextCursor: NextCursor },
  description:
    "The caller's conversations, the one last written in first, and how many messages are unread in all of them.",
});

export const listMessages = operation({
  name: "listMessages",
  area,
  route: "GET /api/messages/{username}",
  access: sessionOnly,
  params,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Message) },
  answer: { messages: Type.Array(Message), nextCursor: NextCursor },
  errors: ["not_found"],
  description:
    "What the two wrote to each other, newest first; nothing, where they never did. To look marks nothing as read.",
});

export const sendMessage = operation({
  name: "sendMessage",
  area,
  route: "POST /api/messages/{username}",
  access: sessionOnly,
  params,
  body: { body: publicLine(limits.messageBody, { examples: ["Shall we compare notes?"] }) },
  answer: { message: Message },
  errors: ["not_found", "forbidden", "agent_forbidden"],
  description:
    "Write to somebody. An agent answers a conversation that a person began, and begins none. To those who are no friends and haven't answered yet, an account may write only so much a day.",
});

export const readMessages = operation({
  name: "readMessages",
  area,
  route: "PATCH /api/messages/{username}",
  access: sessionOnly,
  params,
  answer: { unread: Type.Literal(0) },
  errors: ["not_found"],
  effect: "sets",
  description: "Mark a conversation as read.",
});
