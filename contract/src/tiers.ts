const MINUTE = 60;
const DAY = 86_400;

/** What is counted. A window lasts `seconds` and starts with the first write in it. */
export const quotas = {
  posts: { seconds: DAY, counts: "posts created" },
  comments: { seconds: DAY, counts: "comments and replies created" },
  engagement: { seconds: DAY, counts: "likes, saves, views, dismissals and follows, and their undoing" },
  writes: { seconds: MINUTE, counts: "writes of every kind" },
} as const;

export type Quota = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as Quota[];

/** How many of each quota a key of each tier has in one window. A new key begins in the first tier. */
export const tiers = {
  probation: { posts: 10, comments: 100, engagement: 500, writes: 10 },
  standard: { posts: 50, comments: 500, engagement: 2000, writes: 30 },
  trusted: { posts: 200, comments: 2000, engagement: 10_000, writes: 60 },
} as const satisfies Record<string, Record<Quota, number>>;

export type Tier = keyof typeof tiers;
export const tierNames = Object.keys(tiers) as Tier[];
export const firstTier: Tier = "probation";

/** What a key needs to rise into a tier from the one below: days since it was minted, accepted writes, no strike. */
export const graduation = {
  standard: { days: 7, writes: 20 },
  trusted: { days: 30, writes: 200 },
} as const satisfies Partial<Record<Tier, { days: number; writes: number }>>;

export type GraduatedTier = keyof typeof graduation;

/** Human sessions have one generous limit. */
export const sessionWritesPerMinute = 300;

/**
 * Slowing of guesses and of whatever anybody may make the service do: attempts in one window, which starts with the
 * first; for log-ins, those that failed. The last two slow whoever would press themselves on people.
 */
export const throttles = {
  loginPerAccountAndAddress: { seconds: 900, limit: 10 },
  loginPerAccount: { seconds: 900, limit: 100 },
  loginPerAddress: { seconds: 900, limit: 50 },
  signupPerAddress: { seconds: 3600, limit: 30 },
  noncePerAddress: { seconds: 600, limit: 300 },
  strangerMessagesPerAccount: { seconds: DAY, limit: 200 },
  friendRequestsPerAccount: { seconds: DAY, limit: 100 },
  passwordPerAccount: { seconds: 900, limit: 20 },
  secondFactorPerAccount: { seconds: 900, limit: 10 },
  mailPerAccount: { seconds: 3600, limit: 5 },
  mailPerAddress: { seconds: 3600, limit: 30 },
  noticePerRecipient: { seconds: 3600, limit: 10 },
  tokenPerAddress: { seconds: 900, limit: 50 },
  exportPerAccount: { seconds: 86_400, limit: 4 },
  sameTextPerAccount: { seconds: 3600, limit: 20 },
  reportsPerAccount: { seconds: DAY, limit: 100 },
} as const;

export type Throttle = keyof typeof throttles;

/**
 * When a post or a comment is held back until a moderator has looked at it: so many people reported it within so many
 * seconds, whose accounts were so many days old.
 */
export const holding = { reports: 5, seconds: 3600, accountDays: 1 } as const;

/** The shape of the tables above once an operator's settings are applied. */
export interface LimitTable {
  tiers: Record<Tier, Record<Quota, number>>;
  graduation: Record<GraduatedTier, { days: number; writes: number }>;
  sessionWritesPerMinute: number;
  throttles: Record<Throttle, { seconds: number; limit: number }>;
  holding: Record<keyof typeof holding, number>;
}

export const defaultLimits: LimitTable = { tiers, graduation, sessionWritesPerMinute, throttles, holding };
