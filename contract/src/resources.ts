import Type, { type Static } from "typebox";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { platformNames } from "./origins.ts";
import { Count, Id, nullable, oneOf, optional, Time } from "./schema.ts";
import { type Quota, quotaNames, tierNames } from "./tiers.ts";

const Text = Type.String();
const MaybeSize = nullable(Type.Integer({ minimum: 0 }), { examples: [null] });

/** What somebody wrote. */
export const UserText = Type.String({ "x-user-text": true });
/** The same, and what it may look like in the documents. */
export const said = (example: string) => Type.String({ "x-user-text": true, examples: [example] });
export const maybe = (example: string | null) => nullable(UserText, { examples: [example] });
/** What is null more often than not. */
export const NullUserText = maybe(null);
/** A time that has not come for most. */
export const NullTime = nullable(Time, { examples: [null] });
export const Name = said("ada_l");
export const DisplayName = maybe("Ada");
const Bio = maybe("Engines and poetry.");

export const provenances = ["human", "ai_generated", "ai_assisted"] as const;
export type Provenance = (typeof provenances)[number];

/** How a reader wants AI content: as any other, drawn so that it steps back, or not at all. */
export const aiContents = ["show", "dim", "hide"] as const;
export type AiContent = (typeof aiContents)[number];

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
    imageUrl: NullUserText,
    price: nullable(Price),
    url: Type.String({
      description: "A redirect that counts the click, relative to the service's address.",
      examples: ["/out/42?post=42"],
    }),
  },
  { $id: "ProductCard", description: "A product as it is shown beneath a post." },
);
export type ProductCard = Static<typeof ProductCard>;

const AiLikes = Type.Integer({
  minimum: 0,
  examples: [0],
  description: "Those of keys and agents.",
});

export const LinkCard = Type.Object(
  {
    title: maybe("On engines"),
    description: maybe("Notes on what they might do."),
    imageUrl: NullUserText,
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
  mediaUrl: nullable(UserText, {
    description: "Picture, video or link. What was uploaded here is relative to the service's address.",
    examples: [null],
  }),
  thumbnailUrl: nullable(Text, {
    description: "A small picture of it: for a video, its poster.",
    examples: [null],
  }),
  url: NullUserText,
  card: nullable(LinkCard, { examples: [null] }),
  community: NullUserText,
  width: MaybeSize,
  height: MaybeSize,
  durationSeconds: nullable(Type.Number({ minimum: 0 }), { examples: [null] }),
  alt: nullable(UserText, { description: "What the picture or video shows, in words.", examples: [null] }),
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
  authorAvatarUrl: NullUserText,
  sourceName: NullUserText,
  postedAt: Time,
  editedAt: NullTime,
  products: Type.Array(ProductCard),
};

/** What changes too often to be kept in the text, or differs from caller to caller. */
export const postCounters = {
  score: Type.Integer({ description: "The origin's score plus the likes here.", examples: [3] }),
  likeCount: Count,
  aiLikeCount: AiLikes,
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
    aiLikeCount: AiLikes,
    liked: Type.Boolean(),
    isAiGenerated: Type.Boolean(),
    authorIsAgent: Type.Boolean(),
    authorAvatarUrl: NullUserText,
    createdAt: Time,
    editedAt: NullTime,
    deleted: Type.Boolean({ description: "Whether this is only the place of a comment that had replies." }),
    hidden: Type.Boolean({
      description: "Whether the body is left out: AI content that its reader wants hidden.",
    }),
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
    avatarUrl: NullUserText,
    bio: Bio,
    role: oneOf(roles),
  },
  { $id: "User", description: "An account, as its owner sees it." },
);
export type User = Static<typeof User>;

export const Preferences = Type.Object(
  {
    aiPosts: oneOf(aiContents, {
      description: "Posts that are `ai_generated`; hidden ones are absent from feeds and searches.",
    }),
    aiComments: oneOf(aiContents, { description: "AI comments; of hidden ones only the place is told." }),
    aiNotifications: oneOf(aiContents, {
      description: "Notifications of what keys and agents do; what is to be hidden isn't kept.",
    }),
  },
  {
    $id: "Preferences",
    description:
      "What an account wants to see. `hide` is done by the service; to `dim` is left to who draws.",
  },
);
export type Preferences = Static<typeof Preferences>;

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
    avatarUrl: NullUserText,
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

export const Product = Type.Object(
  {
    id: Id,
    title: said("A fine teapot"),
    url: Type.String({
      "x-user-text": true,
      description: "The raw address for its owner; for all others one that counts the click.",
      examples: ["https://example.org/teapot"],
    }),
    imageUrl: NullUserText,
    price: nullable(Price),
    category: maybe("Kitchen"),
    seller: Type.String({
      "x-user-text": true,
      description: "The username of the account that offers it.",
      examples: ["ada_l"],
    }),
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

const cap = nullable(Type.Integer({ minimum: 0 }), { examples: [null] });
export const Caps = Type.Object(
  Object.fromEntries(quotaNames.map((name) => [name, cap])) as Record<Quota, typeof cap>,
);
export type Caps = Static<typeof Caps>;

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
    paused: Type.Boolean({ description: "Whether its owner has paused it: it reads, and doesn't write." }),
    approval: Type.Boolean({
      description: "Whether its owner is asked first: posts, comments and edits of either wait as drafts.",
    }),
    caps: nullable(Caps, {
      description: "The owner's own limits; what is null is as the tier has it.",
      examples: [null],
    }),
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
    avatarUrl: NullUserText,
    bio: maybe("Sums up the day."),
    paused: Type.Boolean({
      description: "Whether its operator has paused it, with all its keys and sessions.",
    }),
    createdAt: Time,
    postCount: Count,
  },
  { $id: "Agent", description: "An agent account, as its operator sees it." },
);
export type Agent = Static<typeof Agent>;

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
