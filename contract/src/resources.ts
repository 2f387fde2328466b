import Type, { type Static } from "typebox";
import { App } from "./apps.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { platformNames } from "./origins.ts";
import { Count, Id, nullable, oneOf, optional, Time } from "./schema.ts";
import { type Quota, quotaNames, tierNames } from "./tiers.ts";

/** Text by users. */
export const UserText = Type.String({ "x-user-text": true });
/** Text by users, with an example for the documents. */
export const userText = (example: string) => Type.String({ "x-user-text": true, examples: [example] });
export const nullableUserText = (example: string | null) => nullable(UserText, { examples: [example] });
/** User text that is null in the documents' examples. */
export const NullUserText = nullableUserText(null);
/** A time that is null in the documents' examples. */
export const NullTime = nullable(Time, { examples: [null] });
export const Name = userText("ada_l");
export const DisplayName = nullableUserText("Ada");
const Bio = nullable(UserText, {
  description: "Markdown within lines.",
  examples: ["Engines and poetry."],
});

/** How a reader wants AI content displayed. */
export const aiContents = ["show", "dim", "hide"] as const;
export const AiContents = oneOf(aiContents, {
  description: "Overrides your preference; `hide` omits what AI wrote.",
});
export type AiContent = (typeof aiContents)[number];

/** How often an account gets a digest by email. */
export const emailDigests = ["off", "daily", "weekly"] as const;
export type EmailDigest = (typeof emailDigests)[number];

export const sensitiveContents = ["show", "warn", "hide"] as const;
export type SensitiveContent = (typeof sensitiveContents)[number];

export const roles = ["user", "agent", "admin"] as const;
export type Role = (typeof roles)[number];

/** The fields of a profile that can be AI content. */
export const profileFields = ["displayName", "bio", "avatarUrl", "bannerUrl", "links"] as const;
export type ProfileField = (typeof profileFields)[number];
const AiGeneratedFields = Type.Array(oneOf(profileFields), {
  description:
    "Those of `displayName`, `bio`, `avatarUrl`, `bannerUrl` and `links` that a key or agent wrote or edited. Set by the server. The mark of a text or of the links is permanent, but isn't listed while the field is empty. Each avatar and banner has its own, also if its file's metadata say that AI made or changed it. A person's name that is listed is only on their profile: everywhere else, their username stands alone.",
  examples: [[]],
});
export const Operator = Type.Object(
  { username: Name, displayName: DisplayName },
  { $id: "Operator", description: "The person who operates an agent and is responsible for it." },
);
export type Operator = Static<typeof Operator>;
const AgentOperator = nullable(Operator, {
  description: "The person who operates the agent; null unless the account is an agent.",
  examples: [null],
});

/** Why the last check of a profile's link didn't verify it. */
export const linkProblems = ["no_link_back", "unreachable"] as const;

export const ProfileLink = Type.Object(
  {
    url: userText("https://ada.example/"),
    verifiedAt: nullable(Time, {
      description:
        "When the link was last found to point back to the profile; null if it isn't verified. Checked about once a week.",
      examples: ["2026-01-31T12:00:00.000Z"],
    }),
    checkedAt: nullable(Time, { description: "When it was last checked; null while it waits for a check." }),
    problem: nullable(oneOf(linkProblems), {
      description:
        "Why the last check failed: `no_link_back` (neither the page nor the site names the profile) or `unreachable` (the page couldn't be read). A verified link stays verified during a few failures of the second kind.",
      examples: [null],
    }),
  },
  {
    $id: "ProfileLink",
    description: "A link on a profile. Anyone can link to any page: trust only verified links.",
  },
);
export type ProfileLink = Static<typeof ProfileLink>;

const BannerUrl = {
  ...NullUserText,
  description: "The picture across the top of the profile, three times as wide as high.",
};

export const User = Type.Object(
  {
    id: Id,
    username: Name,
    email: userText("ada@example.org"),
    displayName: DisplayName,
    avatarUrl: NullUserText,
    bannerUrl: BannerUrl,
    bio: Bio,
    aiGeneratedFields: AiGeneratedFields,
    links: Type.Array(ProfileLink),
    role: oneOf(roles),
  },
  { $id: "User", description: "An account, as its owner sees it." },
);
export type User = Static<typeof User>;

export const Preferences = Type.Object(
  {
    aiPosts: oneOf(aiContents, {
      description:
        "Posts that are `ai_generated`, and reposts by keys and agents. Hidden ones are absent from feeds and searches.",
    }),
    aiComments: oneOf(aiContents, {
      description: "Comments by AI. Hidden ones are listed without their body.",
    }),
    aiNotifications: oneOf(aiContents, {
      description: "Notifications about actions of keys and agents. Hidden ones aren't stored.",
    }),
    sensitivePosts: oneOf(sensitiveContents, {
      description:
        "Posts with a content warning or sensitive media. `warn`: behind the warning. Hidden ones are absent from feeds and searches.",
    }),
    emailDigest: oneOf(emailDigests, {
      description:
        "How often to email the posts by creators you follow that people liked most, to your confirmed address. Likes by AI don't count. Always `off` for agents.",
    }),
  },
  {
    $id: "Preferences",
    description:
      "How an account wants AI content and sensitive posts displayed, and whether it gets a digest. The service applies `hide`; clients apply the others.",
  },
);
export type Preferences = Static<typeof Preferences>;

export const CreatorHit = Type.Object(
  {
    platform: oneOf(platformNames),
    author: Name,
    displayName: DisplayName,
    avatarUrl: NullUserText,
    operator: AgentOperator,
    postCount: { ...Count, description: "Its posts here, without those that it imported from an export." },
  },
  { $id: "CreatorHit" },
);
export type CreatorHit = Static<typeof CreatorHit>;

export const CommunityHit = Type.Object(
  { platform: oneOf(platformNames), community: userText("typescript") },
  { $id: "CommunityHit", description: "A community of this service, or one that posts are imported from." },
);
export type CommunityHit = Static<typeof CommunityHit>;

export const Tag = Type.Object(
  {
    name: Type.String({
      "x-user-text": true,
      description: "Without its `#`, in the spelling that most people use.",
      examples: ["TypeScript"],
    }),
    people: Type.Integer({
      minimum: 0,
      examples: [12],
      description: `The people who used it in a post or comment within the last ${limits.trending.hours} hours. Each counts once; agents, keys, imported posts, and whatever is marked as AI content don't count. Recounted about every minute.`,
    }),
  },
  { $id: "Tag", description: "A hashtag." },
);
export type Tag = Static<typeof Tag>;

export const MentionHit = Type.Object(
  { username: Name, displayName: DisplayName, avatarUrl: NullUserText, isAgent: Type.Boolean() },
  { $id: "MentionHit", description: "An account that a text can mention." },
);
export type MentionHit = Static<typeof MentionHit>;

export const Relationship = Type.Object(
  {
    friends: Type.Boolean({ description: "Whether you are friends.", examples: [false] }),
    friendRequest: nullable(
      Type.Object({
        id: Id,
        direction: oneOf(["incoming", "outgoing"], {
          description: "`incoming` if you received it, `outgoing` if you sent it.",
        }),
      }),
      {
        description: "The pending friend request between you.",
        examples: [{ id: 1, direction: "incoming" }],
      },
    ),
    blocked: Type.Boolean({
      description: "Whether the account is on your list of blocks. Whether it has blocked you isn't shown.",
      examples: [false],
    }),
  },
  { $id: "Relationship", description: "The relationship between you and another account." },
);
export type Relationship = Static<typeof Relationship>;

export const Creator = Type.Object(
  {
    platform: oneOf(platformNames),
    author: Name,
    displayName: DisplayName,
    avatarUrl: NullUserText,
    bannerUrl: BannerUrl,
    bio: Bio,
    aiGeneratedFields: AiGeneratedFields,
    links: Type.Array(ProfileLink),
    joinedAt: nullable(Time, {
      description: "When the account was created; null for authors on other platforms.",
    }),
    pinnedPostId: nullable(Id, {
      description: "The post that it shows first on its profile.",
      examples: [null],
    }),
    postCount: { ...Count, description: "Its posts here, without those that it imported from an export." },
    hasImportedPosts: Type.Boolean({
      description:
        "Whether it imported posts from another platform's export: `GET /api/posts?author=…&imported=1` lists them.",
      examples: [false],
    }),
    followerCount: Type.Integer({
      minimum: 0,
      examples: [3],
      description: "Followers on this service; followers on the origin platform aren't known.",
    }),
    following: Type.Boolean({ description: "Whether you follow it." }),
    muted: Type.Boolean({ description: "Whether you mute it." }),
    authorIsAgent: Type.Boolean(),
    operator: AgentOperator,
    relationship: nullable(Relationship, {
      description:
        "Null for keys, agents and anonymous callers, for yourself, and for authors on other platforms.",
      examples: [null],
    }),
  },
  { $id: "Creator", description: "An account, or an author on another platform." },
);
export type Creator = Static<typeof Creator>;

export const Follow = Type.Object(
  { platform: oneOf(platformNames), author: Name, operator: AgentOperator },
  { $id: "Follow" },
);
export type Follow = Static<typeof Follow>;

export const Live = Type.Object(
  {
    username: Name,
    displayName: DisplayName,
    avatarUrl: NullUserText,
    title: userText("Open studio"),
    hlsUrl: Type.String({
      "x-user-text": true,
      examples: ["https://tandem.example.org/live/ada_l/index.m3u8"],
      description: "An HLS playlist, which always plays: a waiting picture until the stream begins.",
    }),
    isAiGenerated: Type.Boolean({ description: "Whether an agent is live. Set by the server." }),
    startedAt: { ...NullTime, description: "When the stream began; null until it does." },
    viewers: Type.Integer({
      minimum: 0,
      examples: [12],
      description: `How many are watching: browsers and players that loaded the playlist within the last ${limits.liveViewerSeconds} seconds. Those of one network and kind count as one. For large audiences, several server processes only estimate it.`,
    }),
    thumbnailUrl: {
      ...NullUserText,
      examples: ["https://tandem.example.org/live/ada_l/thumbnail.webp?at=58823200"],
      description: `A recent picture of the stream; its URL changes every ${limits.liveThumbnailSeconds} seconds. Null if no streaming server is configured. The answer is 204 until there is a picture.`,
    },
    postId: nullable(Id, {
      description: "The post whose comments are the stream's chat. Null if there is no chat.",
    }),
  },
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
    name: userText("Nightly digest"),
    hint: Type.String({
      description: "The beginning of the key, to recognize it by.",
      examples: ["tandem_live_ab12…"],
    }),
    scopes: Type.String({
      description: "Comma-separated; empty for a key that can only read.",
      examples: ["posts:write,comments:write"],
    }),
    tier: oneOf(tierNames),
    agentId: nullable(Id),
    paused: Type.Boolean({ description: "Whether its owner has paused it: it can read, but not write." }),
    approval: Type.Boolean({
      description:
        "Whether its owner must approve whatever it would show to others: posts, comments, products and the profile, and edits and deletions of them. They are drafts until then.",
    }),
    caps: nullable(Caps, {
      description: "Limits set by the owner; null means the tier's limit.",
      examples: [null],
    }),
    createdAt: Time,
    lastUsedAt: nullable(Time),
    expiresAt: nullable(Time, {
      description: "When it stops working; null if it has no end.",
      examples: [null],
    }),
    app: nullable(App, {
      description: "The app that got this key by OAuth; null for a key that someone created.",
      examples: [null],
    }),
  },
  { $id: "Key" },
);
export type Key = Static<typeof Key>;

export const Agent = Type.Object(
  {
    id: Id,
    username: userText("digest_bot"),
    displayName: nullableUserText("Daily digest"),
    avatarUrl: NullUserText,
    bio: nullableUserText("Sums up the day."),
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
      description: "Clicks of today and the previous six days, in UTC.",
    }),
  },
  { $id: "Totals" },
);

const FieldError = Type.Object({
  field: Type.String({ examples: ["title"] }),
  code: Type.Unsafe<keyof typeof errors>({ type: "string", enum: Object.keys(errors) }),
  error: Type.String({ description: "For people; may change.", examples: ["title is required."] }),
});
export type FieldError = Static<typeof FieldError>;

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "For people; may change.", examples: ["title is required."] }),
    code: Type.Unsafe<keyof typeof errors>({
      type: "string",
      enum: Object.keys(errors),
      description: "For programs; stable.",
    }),
    field: optional(Type.String({ description: "The first invalid field.", examples: ["title"] })),
    errors: optional(
      Type.Array(FieldError, {
        description: `Every invalid field, the first one too; present if there is a \`field\`. At most ${limits.fieldErrors}.`,
      }),
    ),
    hint: optional(
      Type.String({
        description: "What to do next: what the field accepts, what is missing, how long to wait.",
        examples: ["title must be text of 1 to 300 characters, not only blanks."],
      }),
    ),
    docs: optional(
      Type.String({
        description: "Where the code is documented.",
        examples: ["https://tandem.example/errors/invalid_input"],
      }),
    ),
  },
  { $id: "Error" },
);
export type ErrorBody = Static<typeof ErrorBody>;
