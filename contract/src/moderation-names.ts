/* Without schemas, so that browser code can import the names alone. */

/** What can be reported. */
export const targetKinds = ["post", "comment", "account"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Kinds of decisions. Held content is hidden until a moderator reviews it. */
export const acts = [
  "remove_post",
  "remove_comment",
  "hold_post",
  "hold_comment",
  "remove_avatar",
  "remove_banner",
  "suspend",
  "community_remove_post",
  "community_remove_comment",
  "community_ban",
] as const;
export type Act = (typeof acts)[number];

/** Decisions of a community's moderators, which concern that community alone. */
export const communityActs = [
  "community_remove_post",
  "community_remove_comment",
  "community_ban",
] as const satisfies Act[];
export type CommunityAct = (typeof communityActs)[number];

/** Whether a decision concerns an account itself, not something that it wrote. */
export const isAboutAccount = (act: Act): boolean =>
  act === "suspend" || act === "community_ban" || act === "remove_avatar" || act === "remove_banner";

/** Decisions that are a strike on the account whose content they concern, until they expire or are reversed. */
export const strikeActs = [
  "remove_post",
  "remove_comment",
  "remove_avatar",
  "remove_banner",
] as const satisfies Act[];

/** The pictures of a profile. */
export const profilePictures = ["avatar", "banner"] as const;
export type ProfilePicture = (typeof profilePictures)[number];

/** Outcomes of reports. */
export const outcomes = ["dismissed", "removed", "suspended", "gone"] as const;
export type Outcome = (typeof outcomes)[number];

/** The daily statistics. */
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
