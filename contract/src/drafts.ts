import Type, { type Static } from "typebox";
import { approvableOperations } from "./approval.ts";
import {
  Comment,
  Poll,
  Post,
  PostPicture,
  Price,
  Product,
  QuotedPost,
  quotePolicies,
} from "./post-resources.ts";
import { ownBases, provenanceBases, provenances } from "./provenance.ts";
import { NullUserText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";
import { Signer } from "./signatures.ts";

/** The body of a 202: a draft waits for approval, and nothing is done. */
export const PendingResponse = Type.Object({
  pending: Type.Object({
    draftId: Type.Integer({
      minimum: 1,
      description:
        "The draft that the key's owner must approve. A placeholder in the response to a dry run that would create it.",
      examples: [58],
    }),
    operation: oneOf(approvableOperations, { description: "What approving it performs." }),
    message: Type.String({ description: "The same in words.", examples: [pendingMessage(58)] }),
  }),
});
export type PendingResponse = Static<typeof PendingResponse>;

export function pendingMessage(draftId: number): string {
  return `Not done yet: draft ${draftId} waits for approval by the person responsible for this key. GET /api/drafts/${draftId} says what they decided.`;
}

/** The message in the response to a dry run. It names no draft: there may be none. */
export const wouldWaitMessage =
  "Dry run: nothing was done. The real call would wait for approval by the person responsible for this key.";

export const approvalStates = ["pending", "approved", "rejected", "withdrawn"] as const;
export type ApprovalState = (typeof approvalStates)[number];
/** What became of a call that waited for approval. */
export type DraftDecision = Exclude<ApprovalState, "pending">;

/** A call that waits for approval or waited for it. */
export const Approval = Type.Object({
  operation: oneOf(approvableOperations, { description: "What approving it performs." }),
  state: oneOf(approvalStates, {
    description:
      "`pending` until the person responsible has `approved` or `rejected` it, or its key or agent has `withdrawn` it.",
  }),
});
export type Approval = Static<typeof Approval>;

export const draftStates = ["kept", "scheduled", "pending"] as const;
export type DraftState = (typeof draftStates)[number];

const draftText = (description: string, example: string | null = null) =>
  nullable(Type.String({ "x-user-text": true }), { description, examples: [example] });
const NullId = nullable(Id, { examples: [null] });

/** The text and media that a draft can add or change. Each field is null if it doesn't apply, and in an edit that leaves it unchanged. */
const changeable = (title: string | null, body: string | null) => ({
  title: draftText("The title of a post or product.", title),
  body: draftText("The text of a post or comment, in Markdown.", body),
  url: draftText("The link of a post or product."),
  alt: draftText("The description of the only picture or video."),
  alts: nullable(Type.Array(nullable(Type.String({ "x-user-text": true }))), {
    description: "The descriptions of several pictures, in their order.",
    examples: [null],
  }),
  contentWarning: draftText("The content warning of a post."),
  sensitive: nullable(Type.Boolean(), {
    description: "Whether the media and link preview of a post are sensitive.",
    examples: [null],
  }),
  imageUrl: draftText("The address of a product's picture."),
  price: nullable(Price, { description: "The price of a product.", examples: [null] }),
  category: draftText("The category of a product."),
  displayName: draftText("The display name of a profile."),
  bio: draftText("The bio of a profile."),
  links: nullable(Type.Array(Type.String({ "x-user-text": true })), {
    description: "The links of a profile.",
    examples: [null],
  }),
  mediaUrl: nullable(Type.String(), {
    description: "The picture or video; for a profile, the avatar or banner.",
    examples: [null],
  }),
  pictures: nullable(Type.Array(PostPicture), {
    description: "All pictures, if there are several.",
    examples: [null],
  }),
});

/** How text that is there is labelled. */
const label = {
  provenance: nullable(oneOf(provenances), { examples: [null] }),
  provenanceBasis: nullable(oneOf(provenanceBases), { examples: [null] }),
};

/** A post that a draft or an activity entry is about. */
export const AboutPost = Type.Object({
  ...Type.Pick(Post, ["id", "title"]).properties,
  excerpt: {
    ...NullUserText,
    description:
      "For a post without a title: its content warning, or else the beginning of its text, without markup.",
  },
  ...Type.Pick(Post, ["provenance", "provenanceBasis"]).properties,
});
export type AboutPost = Static<typeof AboutPost>;

/** A comment that a draft replies to or likes. */
const DraftComment = Type.Pick(Comment, ["id", "username", "authorName", "body", "isAiGenerated"]);

/** A product that a draft shows. */
const DraftProduct = Type.Object({
  ...Type.Pick(Product, ["id", "title", "url", "isAiGenerated"]).properties,
  url: { ...Product.properties.url, description: "Where it leads, without counting clicks." },
});

export const Draft = Type.Object(
  {
    id: Id,
    operation: oneOf(approvableOperations, { description: "The operation that publishing it performs." }),
    state: oneOf(draftStates, {
      description:
        "`kept` until someone publishes it, `scheduled` until `publishAt`, `pending` until the key's owner approves it.",
    }),
    author: Type.String({
      "x-user-text": true,
      description: "The account that it is published as.",
      examples: ["ada_l"],
    }),
    keyId: nullable(Id, {
      description: "The key that created it, as long as that is live.",
      examples: [null],
    }),
    postId: nullable(Id, {
      description:
        "The post that it edits, deletes, likes, reposts, votes on, comments on or attaches a product to.",
      examples: [null],
    }),
    commentId: nullable(Id, {
      description: "The comment that it edits, deletes or likes.",
      examples: [null],
    }),
    productId: nullable(Id, {
      description: "The product that it edits, deletes or attaches.",
      examples: [null],
    }),
    parentId: nullable(Id, { description: "The comment that it replies to.", examples: [null] }),
    changes: Type.Array(Type.String(), {
      description: "The fields that were sent; an edit leaves all others unchanged.",
      examples: [["title", "body"]],
    }),
    ...changeable("A note on the engine", "It might act upon other things besides number."),
    productIds: nullable(Type.Array(Id), {
      description: "The ids that were sent, also those of products that were deleted since.",
      examples: [null],
    }),
    products: nullable(Type.Array(DraftProduct), {
      description:
        "The products of `productIds` that still exist, each once, in that order: those that the post will show. Publishing leaves out deleted ones. Null if there are no `productIds`.",
      examples: [null],
    }),
    community: nullable(Type.String(), {
      description: "The community that a new post is for, or that it joins or leaves.",
      examples: [null],
    }),
    quoteId: nullable(Id, { description: "The post that a new post quotes.", examples: [null] }),
    quote: nullable(QuotedPost, {
      description:
        "The post that it quotes, as it is now. Null if it quotes none, and if that was deleted or removed, its author is suspended or allows no quotes of it, or one of the two has blocked the other. Publishing checks more, such as the rules of the quoted post's community.",
      examples: [null],
    }),
    quotePolicy: nullable(oneOf(quotePolicies), {
      description: "Who can quote the post.",
      examples: [null],
    }),
    poll: nullable(Poll, { description: "The poll of a new post.", examples: [null] }),
    choices: nullable(Type.Array(Type.Integer({ minimum: 0 })), {
      description: "The options of the post's poll that it votes for: their positions, from 0.",
      examples: [null],
    }),
    chosenOptions: nullable(Type.Array(Type.String({ "x-user-text": true })), {
      description:
        "The texts of the options in `choices`; null if it isn't a vote, or the post can't be read.",
      examples: [null],
    }),
    provenance: nullable(oneOf(provenances), {
      description:
        "How what it publishes or changes will be labelled: as declared by a person, or `ai_generated` if a key or agent wrote it. Null if no one has declared it, and for what adds no text or picture, such as a like or a deletion.",
      examples: [null],
    }),
    provenanceBasis: nullable(oneOf(ownBases), {
      description: "What the provenance is based on: a person can declare it again, unless it is `stamped`.",
      examples: [null],
    }),
    creator: nullable(Type.Pick(Post, ["platform", "author"]), {
      description: "The creator that it follows or unfollows.",
      examples: [null],
    }),
    post: nullable(AboutPost, {
      description: "The post that it concerns, directly or through a comment, as long as it can be read.",
      examples: [null],
    }),
    comment: nullable(DraftComment, {
      description:
        "The comment that it replies to or likes. Null if there is none, if it was deleted or its post removed, and for an edit or deletion of a comment, which `before` shows. As in `GET /api/comments/{id}`, blocks don't hide it.",
      examples: [null],
    }),
    before: nullable(Type.Object({ ...changeable(null, null), ...label }), {
      description:
        "What it would change, delete or attach, as it is now, with its label; null for something new, or if it no longer exists. A profile has no label: see its `aiGeneratedFields`.",
      examples: [null],
    }),
    publishAt: nullable(Time, {
      description: "When to publish it, or soon after if it is approved later; null if no time was set.",
      examples: [null],
    }),
    lastError: nullable(Type.String(), {
      description: "Why it couldn't be published when it was due.",
      examples: [null],
    }),
    createdAt: Time,
    editedAt: nullable(Time, {
      description: "When it was last edited; null if it never was.",
      examples: [null],
    }),
  },
  {
    $id: "Draft",
    description:
      "An unpublished post, or a change that waits for approval. Only its author and the person responsible for the author can see it.",
  },
);
export type Draft = Static<typeof Draft>;

export const Activity = Type.Object(
  {
    id: Id,
    operation: Type.String({
      description: "The operation's name, as in this document.",
      examples: ["createPost"],
    }),
    username: Type.String({
      "x-user-text": true,
      description: "The account that made the call.",
      examples: ["digest_bot"],
    }),
    keyId: nullable(Id, { description: "The key that was used; null for an agent's session." }),
    postId: nullable(Id),
    commentId: NullId,
    productId: NullId,
    draftId: NullId,
    webhookId: NullId,
    post: nullable(AboutPost, {
      description: "The post that the call was about or commented on, as long as it can be read.",
      examples: [
        {
          id: 42,
          title: "A note on the engine",
          excerpt: null,
          provenance: "human",
          provenanceBasis: "declared",
        },
      ],
    }),
    creator: nullable(Type.String({ "x-user-text": true }), {
      description: "The creator that was followed or unfollowed: platform and name.",
      examples: [null],
    }),
    community: nullable(Type.String({ "x-user-text": true }), {
      description: "The community that was joined, left, followed or unfollowed: platform and name.",
      examples: [null],
    }),
    tag: nullable(Type.String({ "x-user-text": true }), {
      description: "The hashtag that was followed or unfollowed.",
      examples: [null],
    }),
    signer: nullable(Signer, {
      description:
        "The host whose key signed the request (Web Bot Auth): it says whose software sent it. Null if no signature could be verified.",
      examples: [null],
    }),
    approval: nullable(Approval, {
      description:
        "For a call that asked for approval, and for what its approval performed: what that is, and what was decided. `postId` and `commentId` are then what it is about or what it published.",
      examples: [null],
    }),
    undone: Type.Boolean({ description: "Whether the operator has undone it." }),
    createdAt: Time,
  },
  { $id: "Activity", description: "A write by a key or an agent's session." },
);
export type Activity = Static<typeof Activity>;

/** An entry of a key's own activity. It leaves out what the key knows: itself, and its account. */
export const OwnActivity = Type.Object(Type.Omit(Activity, ["username", "keyId", "post"]).properties, {
  $id: "OwnActivity",
  description: "A write by the calling key.",
});
export type OwnActivity = Static<typeof OwnActivity>;
