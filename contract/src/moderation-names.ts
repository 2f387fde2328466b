/* Names alone: a browser that only shows them needs no schema. */

/** What can be reported. */
export const targetKinds = ["post", "comment", "account"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What can be decided; what is held back waits for a moderator to look at it. */
export const acts = ["remove_post", "remove_comment", "hold_post", "hold_comment", "suspend"] as const;
export type Act = (typeof acts)[number];

/** What came of reports. */
export const outcomes = ["dismissed", "removed", "suspended", "gone"] as const;
export type Outcome = (typeof outcomes)[number];

/** What is counted of each day. */
export const dayCounts = [
  "signUps",
  "agents",
  "postsByPeople",
  "postsByAi",
  "postsWithAi",
  "commentsByPeople",
  "commentsByAi",
  "likes",
  "reports",
  "decisions",
] as const;
export type DayCount = (typeof dayCounts)[number];

export const appealStates = ["open", "accepted", "rejected"] as const;
