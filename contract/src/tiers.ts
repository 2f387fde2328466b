import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from "./durations.ts";

/* Rates: how often something may be done. For sizes and counts, see `limits.ts`. */

/** The quotas and what each counts. A window lasts `seconds` and begins with the first write in it. */
export const quotas = {
  posts: { seconds: SECONDS_PER_DAY, counts: "posts created" },
  comments: { seconds: SECONDS_PER_DAY, counts: "comments and replies created" },
  engagement: {
    seconds: SECONDS_PER_DAY,
    counts: "likes, saves, views, dismissals and follows, including undoing them",
  },
  writes: { seconds: SECONDS_PER_MINUTE, counts: "all writes" },
} as const;

export type Quota = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as Quota[];

/**
 * The limit of each quota per window, by tier. A new key begins in the first tier. What an account's keys write counts
 * together, and is compared with the limit of the key that writes. An agent's session has the tier of the agent's best key.
 */
export const tiers = {
  probation: { posts: 10, comments: 100, engagement: 500, writes: 10 },
  standard: { posts: 50, comments: 500, engagement: 2000, writes: 30 },
  trusted: { posts: 200, comments: 2000, engagement: 10_000, writes: 60 },
} as const satisfies Record<string, Record<Quota, number>>;

export type Tier = keyof typeof tiers;
export const tierNames = Object.keys(tiers) as Tier[];
export const firstTier: Tier = "probation";

/**
 * What a key needs to be promoted from the tier below: days since it was created, and accepted writes. While its account
 * has a strike, it isn't promoted.
 */
export const graduation = {
  standard: { days: 7, writes: 20 },
  trusted: { days: 30, writes: 200 },
} as const satisfies Partial<Record<Tier, { days: number; writes: number }>>;

export type GraduatedTier = keyof typeof graduation;

/** A strike is the removal of an account's content by a moderator. After this many days it expires. */
export const strikes = { days: 90 } as const;

/** The only quota of people's sessions. */
export const sessionWritesPerMinute = 300;

/** Dry runs per minute of an account, over all operations; of an anonymous client, by its address. */
export const dryRunsPerMinute = 60;

/** Seconds in an hour that each process decodes a person's uploads, with those of their agents. */
export const mediaSecondsPerHour = 1800;

/**
 * Limits against guessing and abuse: attempts per window, which begins with the first attempt. For logins, passwords,
 * codes and links, only failed attempts count. "Address" means IP address.
 */
export const throttles = {
  loginPerAccountAndAddress: { seconds: 900, limit: 10 },
  loginPerAccount: { seconds: 900, limit: 100 },
  loginPerAddress: { seconds: 900, limit: 50 },
  signupPerAddress: { seconds: SECONDS_PER_HOUR, limit: 30 },
  signupRequestsPerAddress: { seconds: SECONDS_PER_DAY, limit: 5 },
  invitationsPerAccount: { seconds: SECONDS_PER_DAY, limit: 5 },
  noncePerAddress: { seconds: 600, limit: 300 },
  strangerMessagesPerAccount: { seconds: SECONDS_PER_DAY, limit: 200 },
  friendRequestsPerAccount: { seconds: SECONDS_PER_DAY, limit: 100 },
  passwordPerAccount: { seconds: 900, limit: 20 },
  secondFactorPerAccount: { seconds: 900, limit: 10 },
  mailPerAccount: { seconds: SECONDS_PER_HOUR, limit: 5 },
  mailPerAddress: { seconds: SECONDS_PER_HOUR, limit: 30 },
  noticePerRecipient: { seconds: SECONDS_PER_HOUR, limit: 10 },
  tokenPerAddress: { seconds: 900, limit: 50 },
  agentRequestsPerAddress: { seconds: SECONDS_PER_HOUR, limit: 10 },
  agentRequestsPerSite: { seconds: SECONDS_PER_HOUR, limit: 50 },
  wrongCodesPerAccount: { seconds: SECONDS_PER_HOUR, limit: 20 },
  newAgentsPerAccount: { seconds: SECONDS_PER_DAY, limit: 20 },
  exportPerAccount: { seconds: SECONDS_PER_DAY, limit: 4 },
  importPerAccount: { seconds: SECONDS_PER_DAY, limit: 20 },
  sameTextPerAccount: { seconds: SECONDS_PER_HOUR, limit: 20 },
  authorChangesPerAccount: { seconds: SECONDS_PER_HOUR, limit: 100 },
  linkChecksPerPerson: { seconds: SECONDS_PER_DAY, limit: 30 },
  reportsPerAccount: { seconds: SECONDS_PER_DAY, limit: 100 },
  communityBansPerAccount: { seconds: SECONDS_PER_DAY, limit: 100 },
  appRequestsPerAddress: { seconds: SECONDS_PER_MINUTE, limit: 300 },
  appRegistrationsPerAddress: { seconds: SECONDS_PER_HOUR, limit: 60 },
  appDocumentsPerAddress: { seconds: SECONDS_PER_HOUR, limit: 60 },
  deviceCodesPerAccount: { seconds: 900, limit: 10 },
  remotePicturesPerAddress: { seconds: SECONDS_PER_MINUTE, limit: 600 },
  originThreadsPerAddress: { seconds: 600, limit: 60 },
} as const;

export type Throttle = keyof typeof throttles;

/**
 * Automatic hiding; the name `holding` is part of the names of settings. A post or comment of an account that isn't in good
 * standing is hidden until a moderator reviews it once reports with this weight together have arrived within this many seconds.
 *
 * A report by an account younger than `accountDays` has no weight. Others weigh min(1, age / `fullWeightDays`) × 2 × (upheld
 * + 1) / (upheld + dismissed + 2), where upheld and dismissed count what moderators made of the reporter's latest reports: 1
 * for an old account without a record, up to 2 if they were always upheld, and toward 0 if they were always dismissed. An
 * account is in good standing if it is `standingDays` old, isn't suspended and has no strike; of an agent, its operator must be.
 */
export const holding = {
  reports: 5,
  seconds: SECONDS_PER_HOUR,
  accountDays: 1,
  fullWeightDays: 30,
  standingDays: 7,
} as const;

/** The tables above, with an administrator's settings applied. */
export interface LimitTable {
  tiers: Record<Tier, Record<Quota, number>>;
  graduation: Record<GraduatedTier, { days: number; writes: number }>;
  strikes: Record<keyof typeof strikes, number>;
  sessionWritesPerMinute: number;
  dryRunsPerMinute: number;
  mediaSecondsPerHour: number;
  throttles: Record<Throttle, { seconds: number; limit: number }>;
  holding: Record<keyof typeof holding, number>;
}

export const defaultLimits: LimitTable = {
  tiers,
  graduation,
  strikes,
  sessionWritesPerMinute,
  dryRunsPerMinute,
  mediaSecondsPerHour,
  throttles,
  holding,
};
