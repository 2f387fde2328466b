import Type, { type Static } from "typebox";
import { DisplayName, maybe, Name, NullUserText, said } from "./resources.ts";
import { Count, Id, Time } from "./schema.ts";

/** What is between people: messages, friends and blocks. Nobody else sees any of it. */

export const Message = Type.Object(
  {
    id: Id,
    from: Type.String({
      "x-user-text": true,
      description: "Who wrote it; of an account that is gone, the conversation's `with`.",
      examples: ["ada_l"],
    }),
    body: said("Shall we compare notes?"),
    isAiGenerated: Type.Boolean({ description: "Whether an agent wrote it. The server stamps it." }),
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
        "The other's username; of an account that is gone, what stands for it in the paths of this conversation, such as `[deleted-42]`.",
      examples: ["ada_l"],
    }),
    withDisplayName: DisplayName,
    withAvatarUrl: NullUserText,
    withIsAgent: Type.Boolean(),
    gone: Type.Boolean({
      description: "Whether the other account is gone, so that nobody is left to write to.",
    }),
    lastMessage: Message,
    unread: Count,
  },
  { $id: "Conversation", description: "What two accounts wrote to each other, as one of them sees it." },
);
export type Conversation = Static<typeof Conversation>;

export const FriendRequest = Type.Object(
  {
    id: Id,
    from: Name,
    fromDisplayName: DisplayName,
    fromAvatarUrl: NullUserText,
    to: said("mary_s"),
    toDisplayName: maybe("Mary"),
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
  { $id: "Block", description: "An account that the caller blocks." },
);
export type Block = Static<typeof Block>;
