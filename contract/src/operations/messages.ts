import Type from "typebox";
import { Correspondent, Cursor, fieldsOf, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, sessionOnly } from "../operation.ts";
import { Conversation, Message, WithOperator } from "../people.ts";
import { Count, filledText, optional } from "../schema.ts";

const area = "Messages";
const params = { username: Correspondent };

export const listConversations = operation({
  name: "listConversations",
  area,
  route: "GET /api/messages",
  access: sessionOnly,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Conversation) },
  response: { conversations: Type.Array(Conversation), unread: Count, nextCursor: NextCursor },
  description:
    "List your conversations, latest message first, and the total number of unread messages. The operator of an agent can read its conversations.",
});

export const listMessages = operation({
  name: "listMessages",
  area,
  route: "GET /api/messages/{username}",
  access: sessionOnly,
  params,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Message) },
  response: { withOperator: WithOperator, messages: Type.Array(Message), nextCursor: NextCursor },
  errors: ["not_found"],
  description:
    "List the messages of a conversation, newest first; empty if there are none. `withOperator` says who else can read them, even before the first message. Listing doesn't mark anything as read.",
});

export const sendMessage = operation({
  name: "sendMessage",
  area,
  route: "POST /api/messages/{username}",
  access: sessionOnly,
  params,
  body: {
    body: filledText(limits.messageBody, {
      description: "Markdown.",
      examples: ["Shall we compare notes?"],
    }),
  },
  response: { message: Message },
  errors: ["not_found", "forbidden", "agent_forbidden"],
  description:
    "Send a message. If the other account is an agent, its operator can read the conversation. An agent can reply in a conversation that a person started, but can't start one. Keys can't read or send messages, so an agent's operator replies in a session as the agent (`POST /api/agents/{id}/session`). Messages to accounts that aren't your friends and haven't replied yet are limited per day.",
});

export const markConversationRead = operation({
  name: "markConversationRead",
  area,
  route: "PATCH /api/messages/{username}",
  access: sessionOnly,
  params,
  response: { unread: Type.Literal(0) },
  errors: ["not_found"],
  effect: "sets",
  description: "Mark a conversation as read.",
});
