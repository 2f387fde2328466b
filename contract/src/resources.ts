import Type, { type Static } from "typebox";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { originNames, platformNames } from "./origins.ts";
import { Count, Id, nullable, oneOf, optional, Time } from "./schema.ts";
import { tierNames } from "./tiers.ts";

const Text = Type.String();
const MaybeSize = nullable(Type.Integer({ minimum: 0 }), { examples: [null] });

/** What somebody wrote. */
const Theirs = Type.String({ "x-user-text": true });
/** The same, and what it may look like in the documents. */
const said = (example: string) => Type.String({ "x-user-text": true, examples: [example] });
const maybe = (example: string | null) => nullable(Theirs, { examples: [example] });
/** What is null more often than not. */
const Rarely = maybe(null);
/** A time that has not come for most. */
const NotYet = nullable(Time, { examples: [null] });
const Name = said("ada_l");
const DisplayName = maybe("Ada");
const Bio = maybe("Engines and poetry.");

export const provenances = ["human", "ai_generated", "ai_assisted"] as const;
export type Provenance = (typeof provenances)[number];

export const mediaTypes = ["text", "image", "video", "gif", "link"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** How far media uploaded here is. */
export const mediaStates = ["preparing", "ready"] as const;
export type MediaState = (typeof mediaStates)[number];

export const roles = ["user", "agent", "admin"] as const;
export type Role = (typeof roles)[number];

/** Price as its owner wrote it: a string or a number. */
export const Price = Type.Union(
  [Type.String({ maxLength: limits.productPrice, format: "text", "x-user-text": true }), Type.Number()],
  { examples: ["12.50 EUR"] },
);

export const ProductCard = Type.Object(
  {
    id: Id,
    title: said("A fine teapot"),
    imageUrl: Rarely,
    price: nullable(Price),
    url: Type.String({
      description: "A redirect that counts the click, relative to the service's address.",
      examples: ["/out/42?post=42"],
    }),
  },
  { $id: "ProductCard", description: "A product as it is shown beneath a post." },
);
export type ProductCard = Static<typeof ProductCard>;

export const LinkCard = Type.Object(
  {
    title: maybe("On engines"),
    description: maybe("Notes on what they might do."),
    imageUrl: Rarely,
    siteName: maybe("Example"),
  },
  { $id: "LinkCard", description: "What the linked page says of itself." },
);
export type LinkCard = Static<typeof LinkCard>;

/** What a post says of itself, whoever asks. This much of its JSON is kept ready in the database. */
export const postFragment = {
  id: Id,
  platform: oneOf(platformNames, { description: "`native`, or the origin it was gathered from." }),
  author: Name,
  title: maybe("A note on the engine"),
  body: maybe("It might act upon other things besides number."),
  mediaType: oneOf(mediaTypes),
  mediaUrl: nullable(Theirs, {
    description: "Picture, video or link. What was uploaded here is relative to the service's address.",
    examples: [null],
  }),
  thumbnailUrl: nullable(Text, {
    description: "A small picture of it: for a video, its poster.",
    examples: [null],
  }),
  url: Rarely,
  card: nullable(LinkCard, { examples: [null] }),
  community: Rarely,
  width: MaybeSize,
  height: MaybeSize,
  durationSeconds: nullable(Type.Number({ minimum: 0 }), { examples: [null] }),
  alt: nullable(Theirs, { description: "What the picture or video shows, in words.", examples: [null] }),
  thumbHash: nullable(Text, {
    description: "A ThumbHash in base64: a blur of a few bytes to show until the picture is there.",
    examples: [null],
  }),
  originalUrl: nullable(Text, {
    description:
      "The picture as it was sent, where it carries content credentials (C2PA), which hold for its very bytes: to be downloaded.",
    examples: [null],
  }),
  mediaState: nullable(oneOf(mediaStates), {
    description:
      "Of media uploaded here: `preparing` while its poster is still being made. What has an address can be shown in either state.",
    examples: [null],
  }),
  provenance: oneOf(provenances, { description: "Whose words these are. The server stamps it." }),
  authorIsAgent: Type.Boolean(),
  authorAvatarUrl: Rarely,
  sourceName: Rarely,
  postedAt: Time,
  editedAt: NotYet,
  products: Type.Array(ProductCard),
};

/** What changes too often to be kept in the text, or differs from caller to caller. */
export const postCounters = {
  score: Type.Integer({ description: "The origin's score plus the likes here.", examples: [3] }),
  likeCount: Count,
  commentCount: Count,
  viewCount: Count,
  storyCount: Type.Integer({
    minimum: 1,
    examples: [1],
    description:
      "How many posts, this one included, were gathered of the same link; feeds show the first, which counts them.",
  }),
};
export const postFlags = {
  liked: Type.Boolean({ description: "Whether the caller likes it." }),
  saved: Type.Boolean({ description: "Whether the caller saved it." }),
  followedCreator: Type.Boolean({ description: "Whether the caller follows its author." }),
};

export const PostFragment = Type.Object(postFragment);
export type PostFragment = Static<typeof PostFragment>;

export const Post = Type.Object(
  { ...postFragment, ...postCounters, ...postFlags },
  { $id: "Post", description: "A post made here, or one gathered from another platform." },
);
export type Post = Static<typeof Post>;

export const Comment = Type.Object(
  {
    id: Id,
    parentId: nullable(Id, { examples: [null] }),
    body: Type.String({
      "x-user-text": true,
      description: "Empty once the comment is deleted.",
      examples: ["Well said."],
    }),
    username: Type.String({
      "x-user-text": true,
      description: "The author; `[deleted]` once the comment or its author is gone.",
      examples: ["ada_l"],
    }),
    likeCount: Count,
    liked: Type.Boolean(),
    isAiGenerated: Type.Boolean(),
    authorIsAgent: Type.Boolean(),
    authorAvatarUrl: Rarely,
    createdAt: Time,
    editedAt: NotYet,
    deleted: Type.Boolean({ description: "Whether this is only the place of a comment that had replies." }),
  },
  { $id: "Comment" },
);
export type Comment = Static<typeof Comment>;

export const User = Type.Object(
  {
    id: Id,
    username: Name,
    email: said("ada@example.org"),
    displayName: DisplayName,
    avatarUrl: Rarely,
    bio: Bio,
    role: oneOf(roles),
  },
  { $id: "User", description: "An account, as its owner sees it." },
);
export type User = Static<typeof User>;

export const CreatorHit = Type.Object(
  { platform: oneOf(platformNames), author: Name, postCount: Count },
  { $id: "CreatorHit" },
);
export type CreatorHit = Static<typeof CreatorHit>;

export const Creator = Type.Object(
  {
    platform: oneOf(platformNames),
    author: Name,
    displayName: DisplayName,
    avatarUrl: Rarely,
    bio: Bio,
    postCount: Count,
    followerCount: Type.Integer({
      minimum: 0,
      examples: [3],
      description: "How many follow it here; the origin's own followers aren't known.",
    }),
    following: Type.Boolean({ description: "Whether the caller follows it." }),
    authorIsAgent: Type.Boolean(),
  },
  { $id: "Creator", description: "Who publishes: an account, or an author on another platform." },
);
export type Creator = Static<typeof Creator>;

export const Follow = Type.Object({ platform: oneOf(platformNames), author: Name }, { $id: "Follow" });
export type Follow = Static<typeof Follow>;

export const notificationTypes = [
  "friend_request",
  "friend_accept",
  "comment",
  "reply",
  "post_like",
  "comment_like",
  "key_revoked",
] as const;
export type NotificationType = (typeof notificationTypes)[number];

export const Actor = Type.Object(
  { username: Name, displayName: DisplayName, avatarUrl: Rarely, isAgent: Type.Boolean() },
  { $id: "Actor", description: "Who did it; of a key that was revoked, the account that it spoke for." },
);

export const Notification = Type.Object(
  {
    id: Id,
    type: oneOf(notificationTypes, {
      description: "What happened: to the reader, or to a post, a comment or a key of theirs.",
    }),
    actor: Actor,
    postId: nullable(Id),
    commentId: nullable(Id),
    keyHint: nullable(Type.String(), {
      description: "Of a key that was revoked, enough to recognise it by.",
      examples: [null],
    }),
    read: Type.Boolean(),
    createdAt: Time,
  },
  { $id: "Notification" },
);
export type Notification = Static<typeof Notification>;

export const Product = Type.Object(
  {
    id: Id,
    title: said("A fine teapot"),
    url: Type.String({
      "x-user-text": true,
      description: "The raw address for its owner; for all others one that counts the click.",
      examples: ["https://example.org/teapot"],
    }),
    imageUrl: Rarely,
    price: nullable(Price),
    category: maybe("Kitchen"),
    createdAt: Time,
  },
  { $id: "Product" },
);
export type Product = Static<typeof Product>;

export const Live = Type.Object(
  { username: Name, title: said("Open studio"), hlsUrl: said("https://live.example.org/ada_l/index.m3u8") },
  { $id: "Live" },
);
export type Live = Static<typeof Live>;

export const Key = Type.Object(
  {
    id: Id,
    name: said("Nightly digest"),
    hint: Type.String({
      description: "Enough of the key to recognise it by.",
      examples: ["tandem_live_ab12…"],
    }),
    scopes: Type.String({
      description: "Comma-separated; empty for a key that only reads.",
      examples: ["posts:write,comments:write"],
    }),
    tier: oneOf(tierNames),
    agentId: nullable(Id),
    createdAt: Time,
    lastUsedAt: nullable(Time),
  },
  { $id: "Key" },
);
export type Key = Static<typeof Key>;

export const Agent = Type.Object(
  {
    id: Id,
    username: said("digest_bot"),
    displayName: maybe("Daily digest"),
    avatarUrl: Rarely,
    bio: maybe("Sums up the day."),
    createdAt: Time,
    postCount: Count,
  },
  { $id: "Agent", description: "An agent account, as its operator sees it." },
);
export type Agent = Static<typeof Agent>;

export const sourceStates = ["new", "working", "failing", "set_aside", "removing"] as const;
export type SourceState = (typeof sourceStates)[number];

export const Source = Type.Object(
  {
    id: Id,
    platform: oneOf(originNames),
    name: said("Example Weekly"),
    url: nullable(Theirs, {
      description: "What is asked for what is new; null for a source that nothing is gathered from any more.",
      examples: ["https://example.org/feed.xml"],
    }),
    community: maybe("example.org"),
    enabled: Type.Boolean({ description: "Whether it is asked at all." }),
    state: oneOf(sourceStates, {
      description:
        "`new`: not asked yet, or not since it was enabled again. `failing`: asked again after ever longer pauses. `set_aside`: it failed for days, is gone for good, or has moved to where another source is; it is asked no more until it is enabled again. `removing`: its posts are being removed, and then it.",
    }),
    intervalSeconds: Type.Integer({
      minimum: 0,
      examples: [900],
      description: "How often it is asked, by how often something new was there.",
    }),
    failures: Type.Integer({ minimum: 0, examples: [0], description: "How often in a row it failed." }),
    lastError: nullable(Type.String(), { examples: [null] }),
    nextAt: nullable(Time, { description: "When it is asked next.", examples: [null] }),
    polledAt: NotYet,
    newestAt: nullable(Time, { description: "When something new was last there.", examples: [null] }),
    createdAt: Time,
  },
  { $id: "Source", description: "A place that posts are gathered from, as admins see it." },
);
export type Source = Static<typeof Source>;

export const Totals = Type.Object(
  {
    posts: Count,
    views: Count,
    likes: Count,
    comments: Count,
    productClicks: Count,
    productClicks7d: Type.Integer({
      minimum: 0,
      examples: [3],
      description: "Clicks of today and the six days before, in UTC.",
    }),
  },
  { $id: "Totals" },
);

export const TopPost = Type.Object(
  {
    ...Type.Pick(Post, [
      "id",
      "title",
      "mediaType",
      "thumbnailUrl",
      "viewCount",
      "likeCount",
      "commentCount",
      "postedAt",
    ]).properties,
    productClicks: Count,
  },
  { $id: "TopPost" },
);
export type TopPost = Static<typeof TopPost>;

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "For people to read.", examples: ["title is required."] }),
    code: Type.Unsafe<keyof typeof errors>({
      type: "string",
      enum: Object.keys(errors),
      description: "For programs.",
    }),
    field: optional(Type.String({ description: "The field that offends.", examples: ["title"] })),
    hint: optional(
      Type.String({
        description: "The way out: what would be taken, what is missing, how long to wait.",
        examples: ["title takes 1 to 300 characters, not only blanks."],
      }),
    ),
    docs: optional(
      Type.String({
        description: "Where the code is explained.",
        examples: ["https://tandem.example/developers.md#invalid_input"],
      }),
    ),
  },
  { $id: "Error" },
);
export type ErrorBody = Static<typeof ErrorBody>;
