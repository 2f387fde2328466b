import Type, { type Static } from "typebox";
import { DisplayName, Name, NullUserText, nullableUserText, Operator, userText } from "./resources.ts";
import { Count, Id, nullable, Time } from "./schema.ts";

/** Messages, friends and blocks. Visible only to the two accounts involved, and to the operator of one that is an agent. */

export const WithOperator = nullable(Operator, {
  description:
    "If the other account is an agent: the person who operates it, and who can read this conversation.",
  examples: [null],
});

export const Message = Type.Object(
  {
    id: Id,
    from: Type.String({
      "x-user-text": true,
      description: "The sender; if that account was deleted, the conversation's `with`.",
      examples: ["ada_l"],
    }),
    body: userText("Shall we compare notes?"),
    isAiGenerated: Type.Boolean({ description: "Whether an agent wrote it. Set by the server." }),
    createdAt: Time,
  },
  { $id: "Message" },
);
export type Message = Static<typeof Message>;

export const Conversation = Type.Object(
  {
    with: Type.String({
      "x-user-text": true,
      description:
        "The other account's username; if it was deleted, a placeholder for use in this conversation's paths, such as `[deleted-42]`.",
      examples: ["ada_l"],
    }),
    withDisplayName: DisplayName,
    withAvatarUrl: NullUserText,
    withIsAgent: Type.Boolean(),
    withOperator: WithOperator,
    gone: Type.Boolean({
      description: "Whether the other account was deleted, so you can't send messages.",
    }),
    lastMessage: Message,
    unread: Count,
  },
  { $id: "Conversation", description: "The messages between two accounts, as one of them sees them." },
);
export type Conversation = Static<typeof Conversation>;

export const FriendRequest = Type.Object(
  {
    id: Id,
    from: Name,
    fromDisplayName: DisplayName,
    fromAvatarUrl: NullUserText,
    to: userText("mary_s"),
    toDisplayName: nullableUserText("Mary"),
    toAvatarUrl: NullUserText,
    createdAt: Time,
  },
  { $id: "FriendRequest" },
);
export type FriendRequest = Static<typeof FriendRequest>;

export const Friend = Type.Object(
  { username: Name, displayName: DisplayName, avatarUrl: NullUserText, since: Time },
  { $id: "Friend" },
);
export type Friend = Static<typeof Friend>;

export const Block = Type.Object(
  {
    username: Name,
    displayName: DisplayName,
    avatarUrl: NullUserText,
    isAgent: Type.Boolean(),
    createdAt: Time,
  },
  { $id: "Block", description: "An account that you block." },
);
export type Block = Static<typeof Block>;
