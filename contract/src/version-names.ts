/** Who made a version of a post or comment. `unknown`: an edit before versions were kept. */
export const versionMakers = ["person", "ai", "origin", "unknown"] as const;
export type VersionMaker = (typeof versionMakers)[number];

/** Who cleared an earlier version: its author, or a moderator. */
export const versionClearers = ["author", "moderator"] as const;
export type VersionClearer = (typeof versionClearers)[number];
