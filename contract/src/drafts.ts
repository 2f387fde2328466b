import Type, { type Static } from "typebox";
import { Id, nullable, oneOf, optional, Time } from "./schema.ts";

/** What an operation's answer says beside the rest where the call has only been noted down. */
export const whenPending = {
  pendingApproval: optional(
    Type.Literal(true, {
      description:
        "Present where the person behind the key wants to be asked first: nothing is published yet, what is shown is what it would be, and ids in it are good for nothing.",
    }),
  ),
  draftId: optional(
    Type.Integer({ minimum: 1, description: "The draft that waits for approval, where one does." }),
  ),
};

/** The operations whose calls wait as drafts under a key whose owner wants to be asked first. */
export const waitingOperations = ["createPost", "createComment", "editPost", "editComment"] as const;
export type WaitingOperation = (typeof waitingOperations)[number];

export function isWaiting(name: string): name is WaitingOperation {
  return waitingOperations.some((one) => one === name);
}

export const draftStates = ["kept", "scheduled", "pending"] as const;
export type DraftState = (typeof draftStates)[number];

const written = (example: string | null) =>
  nullable(Type.String({ "x-user-text": true }), { examples: [example] });
const about = nullable(Id, { examples: [null] });

export const Draft = Type.Object(
  {
    id: Id,
    operation: oneOf(waitingOperations, { description: "What publishing it does." }),
    state: oneOf(draftStates, {
      description:
        "`kept` until somebody publishes it; `scheduled` until `publishAt`; `pending` until the person behind the key has approved it.",
    }),
    author: Type.String({
      "x-user-text": true,
      description: "As whom it is published.",
      examples: ["ada_l"],
    }),
    keyId: nullable(Id, { description: "The key that wrote it, while that is live.", examples: [null] }),
    postId: nullable(Id, { description: "The post that it edits or comments on.", examples: [null] }),
    commentId: nullable(Id, { description: "The comment that it edits.", examples: [null] }),
    parentId: about,
    changes: Type.Array(Type.String(), {
      description: "The fields that were sent: an edit leaves all others as they are.",
      examples: [["title", "body"]],
    }),
    title: written("A note on the engine"),
    body: written("It might act upon other things besides number."),
    url: written(null),
    alt: written(null),
    productIds: nullable(Type.Array(Id), { examples: [null] }),
    provenance: nullable(Type.String(), { description: "As a person declared it.", examples: [null] }),
    mediaUrl: nullable(Type.String(), { description: "What came with it.", examples: [null] }),
    publishAt: nullable(Time, { examples: [null] }),
    lastError: nullable(Type.String(), {
      description: "Why it could not be published when it was due.",
      examples: [null],
    }),
    createdAt: Time,
    editedAt: nullable(Time, { examples: [null] }),
  },
  {
    $id: "Draft",
    description: "What is written and not published: only its author and who answers for it see it.",
  },
);
export type Draft = Static<typeof Draft>;

export const Activity = Type.Object(
  {
    id: Id,
    operation: Type.String({ description: "By its name in this document.", examples: ["createPost"] }),
    username: Type.String({ "x-user-text": true, description: "As whom.", examples: ["digest_bot"] }),
    keyId: nullable(Id, { description: "By which key; null for an agent's session." }),
    postId: nullable(Id),
    commentId: about,
    productId: about,
    draftId: about,
    post: nullable(Type.Object({ id: Id, title: nullable(Type.String({ "x-user-text": true })) }), {
      description: "The post that it was about or is written on, while that can be read.",
      examples: [{ id: 42, title: "A note on the engine" }],
    }),
    creator: nullable(Type.String({ "x-user-text": true }), {
      description: "Who was followed, or no longer, by platform and name.",
      examples: [null],
    }),
    undone: Type.Boolean({ description: "Whether the operator has undone it." }),
    createdAt: Time,
  },
  { $id: "Activity", description: "One accepted write of a key, or of an agent's session." },
);
export type Activity = Static<typeof Activity>;
