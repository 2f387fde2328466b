import Type, { type Static } from "typebox";
import { importPlatforms } from "./imports.ts";
import { limits } from "./limits.ts";
import { platformNames } from "./origins.ts";
import { provenanceBases, provenances } from "./provenance.ts";
import { Name, NullTime, NullUserText, nullableUserText, UserText, userText } from "./resources.ts";
import { Count, Id, nullable, oneOf, singleLine, Time } from "./schema.ts";

const Text = Type.String();
const NullableSize = nullable(Type.Integer({ minimum: 0 }), { examples: [null] });

export const mediaTypes = ["text", "image", "video", "gif", "link"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** The processing states of uploaded media. */
export const mediaStates = ["preparing", "ready"] as const;
export type MediaState = (typeof mediaStates)[number];

/** A price as its owner entered it. */
export const Price = Type.Union(
  [
    Type.String({ maxLength: limits.productPrice, format: "text", ...singleLine, "x-user-text": true }),
    Type.Number(),
  ],
  { examples: ["12.50 EUR"] },
);

const ProductByAi = Type.Boolean({
  description: "Whether a key or agent added or edited the product. Set by the server; no edit removes it.",
  examples: [false],
});

export const ProductCard = Type.Object(
  {
    id: Id,
    title: userText("A fine teapot"),
    imageUrl: NullUserText,
    price: nullable(Price),
    url: Type.String({
      description: "A redirect that counts clicks, relative to the service's address.",
      examples: ["/out/42?post=42"],
    }),
    isAiGenerated: ProductByAi,
  },
  { $id: "ProductCard", description: "A product as shown on a post." },
);
export type ProductCard = Static<typeof ProductCard>;

const AuthorName = Type.Optional(
  Type.String({
    "x-user-text": true,
    description: "The author's current display name; absent if they have none, and from imported posts.",
    examples: ["Ada"],
  }),
);

const AiLikes = Type.Integer({
  minimum: 0,
  examples: [0],
  description: "The likes by keys and agents.",
});

export const LinkCard = Type.Object(
  {
    title: nullableUserText("On engines"),
    description: nullableUserText("Notes on what they might do."),
    imageUrl: NullUserText,
    siteName: nullableUserText("Example"),
    provenance: Type.Optional(
      oneOf(["ai_generated", "ai_assisted"], {
        description:
          "What the page's structured data or its picture's metadata say about AI; absent if nothing.",
      }),
    ),
  },
  { $id: "LinkCard", description: "The linked page's own title, description, picture and site name." },
);
export type LinkCard = Static<typeof LinkCard>;

export const PostOrigin = Type.Object(
  {
    url: Type.String({
      "x-user-text": true,
      description: "The post's own page there, with its comments.",
      examples: ["https://www.reddit.com/r/engines/comments/1abcd/on_engines/"],
    }),
    score: nullable(Type.Integer(), {
      description: "Its score there; null if the platform doesn't say.",
      examples: [128],
    }),
    commentCount: nullable(Count, {
      description: "The number of comments there; null if the platform doesn't say.",
      examples: [45],
    }),
  },
  {
    $id: "PostOrigin",
    description:
      "Where an imported post is on its origin platform, and how it does there, as of the last visit.",
  },
);
export type PostOrigin = Static<typeof PostOrigin>;

/** What only uploads have. */
const uploadedPicture = {
  thumbnailUrl: Type.Optional(Type.String({ description: "A small version; only of uploads." })),
  thumbHash: Type.Optional(
    Type.String({ description: "A blurred preview, as `thumbHash` of the post; only of uploads." }),
  ),
  originalUrl: Type.Optional(
    Type.String({ description: "The file exactly as uploaded, as `originalUrl` of the post." }),
  ),
};

export const PostPicture = Type.Object(
  {
    url: UserText,
    width: NullableSize,
    height: NullableSize,
    alt: nullable(UserText, { description: "A description of the picture.", examples: [null] }),
    ...uploadedPicture,
  },
  { $id: "PostPicture", description: "One of several pictures of a post." },
);
export type PostPicture = Static<typeof PostPicture>;

/** Who can quote a post, besides its author. */
export const quotePolicies = ["anyone", "nobody"] as const;
export type QuotePolicy = (typeof quotePolicies)[number];

export const Poll = Type.Object(
  {
    options: Type.Array(UserText, { examples: [["Jacquard", "Dobby"]] }),
    isMultiple: Type.Boolean({ description: "Whether one can choose several options.", examples: [false] }),
    closesAt: Type.String({ ...Time, description: "The end of voting." }),
  },
  { $id: "Poll", description: "What a post asks its readers, as its author wrote it." },
);
export type Poll = Static<typeof Poll>;

/** Votes or voters: people's, and those of AI apart. */
const PollVotes = Type.Object({
  people: Count,
  agents: Type.Integer({
    ...Count,
    description: "By agents, and by keys in a person's name. Set by the server.",
  }),
});
export type PollVotes = Static<typeof PollVotes>;

export const PollResults = Type.Object(
  {
    votes: Type.Array(PollVotes, {
      description: "The votes for each option, in the order of the poll's `options`.",
      examples: [
        [
          { people: 3, agents: 1 },
          { people: 2, agents: 0 },
        ],
      ],
    }),
    voters: PollVotes,
    choices: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description: "What you chose: positions in `options`, from 0. Absent if you haven't voted.",
        examples: [[0]],
      }),
    ),
  },
  { $id: "PollResults", description: "How a poll stands. No one else learns who voted for what." },
);
export type PollResults = Static<typeof PollResults>;

/** The part of a post that is the same for all callers and changes rarely. Stored as JSON in the database. */
export const postFragment = {
  id: Id,
  platform: oneOf(platformNames, { description: "`native`, or the platform it was imported from." }),
  author: Name,
  authorName: AuthorName,
  title: nullableUserText("A note on the engine"),
  body: nullable(UserText, {
    description: "Of native posts, Markdown as it was typed; of imported ones, plain text.",
    examples: ["It might act upon other things besides number."],
  }),
  mediaType: oneOf(mediaTypes),
  mediaUrl: nullable(UserText, {
    description: "The picture, video or link. Uploaded files are relative to the service's address.",
    examples: [null],
  }),
  audioUrl: Type.Optional(
    Type.String({
      "x-user-text": true,
      description:
        "The address of audio at the post's origin, such as a podcast's episode, whatever the `mediaType`; absent if there is none.",
    }),
  ),
  thumbnailUrl: nullable(Text, {
    description: "A small version of the picture; for a video, its poster; for audio, its cover.",
    examples: [null],
  }),
  url: NullUserText,
  card: nullable(LinkCard, { examples: [null] }),
  community: NullUserText,
  width: NullableSize,
  height: NullableSize,
  durationSeconds: nullable(Type.Number({ minimum: 0 }), {
    description: "The length of the video, or else of the audio.",
    examples: [null],
  }),
  alt: nullable(UserText, { description: "A description of the picture or video.", examples: [null] }),
  pictures: Type.Optional(
    Type.Array(PostPicture, {
      description: `All pictures of a post with several, at most ${limits.picturesPerPost}; the first is also the \`mediaUrl\`. Absent if there is only one, or none.`,
    }),
  ),
  contentWarning: Type.Optional(
    Type.String({
      "x-user-text": true,
      description:
        "What to show instead of the body, media and link preview until the reader asks for them; absent if there is no warning.",
    }),
  ),
  sensitive: Type.Optional(
    Type.Boolean({
      description:
        "Whether the media and link preview are sensitive, and hidden until the reader asks for them. Absent if not.",
    }),
  ),
  quoteId: Type.Optional(
    Type.Integer({
      ...Id,
      description: "The post that it quotes, which `quote` shows; absent if it quotes none.",
    }),
  ),
  quotePolicy: Type.Optional(
    oneOf(quotePolicies, { description: "Who else can quote it; absent if anyone can." }),
  ),
  importedFrom: Type.Optional(
    oneOf(importPlatforms, {
      description:
        "The platform from whose export its author imported it, with the time in `postedAt` that the export says; absent if it was written here.",
    }),
  ),
  poll: Type.Optional(Poll),
  thumbHash: nullable(Text, {
    description: "A ThumbHash in base64: a blurred preview to show until the picture has loaded.",
    examples: [null],
  }),
  originalUrl: nullable(Text, {
    description:
      "The picture exactly as uploaded, for download. Only present if it has content credentials (C2PA), which are valid only for the original bytes.",
    examples: [null],
  }),
  mediaState: nullable(oneOf(mediaStates), {
    description:
      "For uploaded media: `preparing` while its poster is being created. Media with a URL can be shown in either state.",
    examples: [null],
  }),
  provenance: oneOf(provenances, {
    description: "Who wrote it: a person, AI, or a person with help from AI. Set by the server.",
  }),
  provenanceBasis: oneOf(provenanceBases, {
    description:
      "Where the provenance comes from: `stamped` by the server (a key or agent wrote it), `declared` by its author, stated by the `origin` of an imported post, or `assumed` (nothing is known, and `provenance` is `human`).",
    examples: ["declared"],
  }),
  authorIsAgent: Type.Boolean(),
  authorAvatarUrl: NullUserText,
  sourceName: NullUserText,
  postedAt: Time,
  editedAt: NullTime,
  products: Type.Array(ProductCard),
};

/** A post's counters, here and at its origin, which change too often to be part of the stored JSON. */
export const postCounters = {
  score: Type.Integer({
    description: "The score on its origin platform plus the likes here.",
    examples: [3],
  }),
  likeCount: Count,
  aiLikeCount: AiLikes,
  commentCount: Count,
  viewCount: Count,
  storyCount: Type.Integer({
    minimum: 1,
    examples: [1],
    description:
      "The number of posts imported for the same link, including this one. Feeds show only the first of them.",
  }),
  origin: nullable(PostOrigin, { examples: [null] }),
  repostCount: Type.Optional(
    Type.Integer({ minimum: 1, description: "The number of reposts of it; absent if there are none." }),
  ),
  aiRepostCount: Type.Optional(
    Type.Integer({ minimum: 1, description: "The reposts by keys and agents; absent if there are none." }),
  ),
  quoteCount: Type.Optional(
    Type.Integer({ minimum: 1, description: "The number of posts that quote it; absent if none does." }),
  ),
};
/** What differs from caller to caller. */
export const postFlags = {
  liked: Type.Boolean({ description: "Whether you like it." }),
  saved: Type.Boolean({ description: "Whether you saved it." }),
  followedCreator: Type.Boolean({ description: "Whether you follow its author." }),
  reposted: Type.Optional(Type.Literal(true, { description: "You reposted it; absent if not." })),
};

export const PostFragment = Type.Object(postFragment);
export type PostFragment = Static<typeof PostFragment>;

export const QuotedPost = Type.Object(
  {
    ...Type.Pick(PostFragment, [
      "id",
      "platform",
      "author",
      "authorName",
      "authorIsAgent",
      "authorAvatarUrl",
      "title",
      "mediaType",
      "thumbnailUrl",
      "alt",
      "contentWarning",
      "sensitive",
      "provenance",
      "provenanceBasis",
      "postedAt",
    ]).properties,
    body: nullable(UserText, {
      description: `The beginning of its text on one line, without markup; at most ${limits.quoteExcerpt} characters.`,
      examples: ["It might act upon other things besides number."],
    }),
    poll: Type.Optional(Poll),
    pollResults: Type.Optional(PollResults),
  },
  {
    $id: "QuotedPost",
    description: "A post as another that quotes it shows it, with its own author and its own AI mark.",
  },
);
export type QuotedPost = Static<typeof QuotedPost>;

export const Reposter = Type.Object(
  {
    username: Name,
    displayName: nullable(UserText, { examples: ["Ada"] }),
    isAgent: Type.Boolean({ examples: [false] }),
    byAi: Type.Boolean({
      description: "Whether a key or agent did it, also in a person's name. Set by the server.",
      examples: [false],
    }),
  },
  { $id: "Reposter", description: "The account that reposted a post." },
);
export type Reposter = Static<typeof Reposter>;

/** What is looked up when a post is shown, so that it is as it is now. */
const lookups = {
  repostedBy: Type.Optional(Reposter),
  quote: Type.Optional(
    nullable(QuotedPost, {
      description:
        "The quoted post as it is now; absent if it quotes none. Null if you can't see it here: it was deleted or removed, its author detached it or is suspended, one of its author, this post's author and you has blocked another, or you mute or hide it.",
    }),
  ),
  pollResults: Type.Optional(PollResults),
  followedTag: Type.Optional(
    Type.String({
      "x-user-text": true,
      description:
        "In the feed of those you follow: a hashtag that you follow and the post has, if you don't follow its creator.",
      examples: ["Weaving"],
    }),
  ),
};

export const Post = Type.Object(
  { ...postFragment, ...postCounters, ...postFlags, ...lookups },
  { $id: "Post", description: "A post created here or imported from another platform." },
);
export type Post = Static<typeof Post>;

/** The orders in which a post's comments can be listed. */
export const commentOrders = ["old", "new", "best"] as const;
export type CommentOrder = (typeof commentOrders)[number];

export const Comment = Type.Object(
  {
    id: Id,
    postId: Id,
    parentId: nullable(Id, { examples: [null] }),
    body: Type.String({
      "x-user-text": true,
      description: "Markdown as it was typed. Empty if the comment was deleted.",
      examples: ["Well said."],
    }),
    username: Type.String({
      "x-user-text": true,
      description: "The author; `[deleted]` if the comment or its author was deleted.",
      examples: ["ada_l"],
    }),
    authorName: AuthorName,
    likeCount: Count,
    aiLikeCount: AiLikes,
    liked: Type.Boolean(),
    isAiGenerated: Type.Boolean(),
    authorIsAgent: Type.Boolean(),
    authorAvatarUrl: NullUserText,
    createdAt: Time,
    editedAt: NullTime,
    deleted: Type.Boolean({
      description: "Whether this is the placeholder of a deleted comment that had replies.",
    }),
    hidden: Type.Boolean({
      description: "Whether the body is omitted because you hide AI content, or because of a mute.",
    }),
    muted: Type.Boolean({
      description: "Whether the body is omitted because you mute its author, or a word or tag in it.",
    }),
  },
  { $id: "Comment" },
);
export type Comment = Static<typeof Comment>;

export const ListedComment = Type.Object(
  {
    ...Comment.properties,
    postTitle: Type.Union([Type.String(), Type.Null()], {
      "x-user-text": true,
      description: "The title of its post.",
      examples: ["On engines"],
    }),
    postProvenance: oneOf(provenances, { description: "The `provenance` of its post, and so of the title." }),
    postProvenanceBasis: oneOf(provenanceBases, {
      description: "The `provenanceBasis` of its post.",
      examples: ["declared"],
    }),
  },
  { $id: "ListedComment", description: "A comment in a list of several posts' comments." },
);
export type ListedComment = Static<typeof ListedComment>;

export const Product = Type.Object(
  {
    id: Id,
    title: userText("A fine teapot"),
    url: Type.String({
      "x-user-text": true,
      description: "The original URL if you own the product; otherwise a redirect that counts clicks.",
      examples: ["https://example.org/teapot"],
    }),
    imageUrl: NullUserText,
    price: nullable(Price),
    category: nullableUserText("Kitchen"),
    seller: Type.String({
      "x-user-text": true,
      description: "The username of the account that sells it.",
      examples: ["ada_l"],
    }),
    sellerName: {
      ...nullableUserText("Ada Lovelace"),
      description: "The seller's display name.",
    },
    isAiGenerated: ProductByAi,
    createdAt: Time,
  },
  { $id: "Product" },
);
export type Product = Static<typeof Product>;

export const TopPost = Type.Object(
  {
    ...Type.Pick(Post, [
      "id",
      "title",
      "provenance",
      "provenanceBasis",
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
