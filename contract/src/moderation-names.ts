/* Without schemas, so that browser code can import the names alone. */

/** What can be reported, in the order in which transactions lock it. */
export const targetKinds = ["post", "comment", "community", "account"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What people publish, and moderators can remove. */
export type ContentKind = Extract<TargetKind, "post" | "comment">;

/** The field of a report that names its target, for each kind. */
export const targetFields = {
  postId: "post",
  commentId: "comment",
  username: "account",
  community: "community",
} as const satisfies Record<string, TargetKind>;

/** What admins can do about reports, and about which kinds of targets. */
export const resolutions = {
  dismiss: targetKinds,
  remove: ["post", "comment"],
  remove_avatar: ["account"],
  remove_banner: ["account"],
  remove_picture: ["community"],
  close: ["community"],
  suspend: ["post", "comment", "account"],
} as const satisfies Record<string, readonly TargetKind[]>;
export type Resolution = keyof typeof resolutions;
export const resolutionNames = Object.keys(resolutions) as Resolution[];

export const isPossible = (resolution: Resolution, kind: TargetKind): boolean =>
  resolutions[resolution].some((each) => each === kind);

/** Kinds of decisions. Held content is hidden until a moderator reviews it. */
export const acts = [
  "remove_post",
  "remove_comment",
  "hold_post",
  "hold_comment",
  "remove_avatar",
  "remove_banner",
  "suspend",
  "remove_community_picture",
  "close_community",
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
export const outcomes = ["dismissed", "removed", "closed", "suspended", "gone"] as const;
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
