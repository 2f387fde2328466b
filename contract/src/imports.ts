import Type, { type Static } from "typebox";
import { UserText } from "./resources.ts";
import { Count, Id, nullable, oneOf, Time } from "./schema.ts";

/** The platforms whose exports can be imported. */
export const importPlatforms = ["mastodon", "bluesky", "x", "reddit"] as const;
export type ImportPlatform = (typeof importPlatforms)[number];

/** What can be imported from an export. */
export const importParts = [
  "posts",
  "follows",
  "communities",
  "lists",
  "mutes",
  "blocks",
  "bookmarks",
] as const;
export type ImportPart = (typeof importParts)[number];

/** What the exports of a platform contain, as far as it can be imported. */
export const importPartsOf: Record<ImportPlatform, readonly ImportPart[]> = {
  mastodon: ["posts", "follows", "lists", "mutes", "blocks", "bookmarks"],
  bluesky: ["posts", "follows", "lists", "blocks"],
  x: ["posts", "follows"],
  reddit: ["posts", "follows", "communities", "bookmarks"],
};

export const importStates = ["waiting", "working", "done", "failed", "undoing", "undone"] as const;

/** Why an import failed. */
export const importProblems = [
  "not_recognized",
  "damaged",
  "too_large",
  "suspended",
  "internal",
  "undo_failed",
] as const;
export type ImportProblem = (typeof importProblems)[number];

/** What became of an item of an export. */
export const importOutcomes = [
  "added",
  "existing",
  "reply",
  "repost",
  "not_public",
  "empty",
  "invalid",
  "denied",
  "not_found",
  "too_many",
  "lost_media",
  "kept",
] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

export const ImportCount = Type.Object(
  {
    part: oneOf(importParts),
    outcome: oneOf(importOutcomes, {
      description:
        "`added`; `existing`: it was here already; not imported: `reply`, `repost`, `not_public`, `empty` (nothing in it that can be imported), `invalid` (unreadable, or without a time), `denied` (links to a blocked domain, or contains an API key), `not_found` (not here), `too_many` (over a limit, such as how many accounts you can mute). `lost_media` counts added posts that lack a picture or video they had. `kept`: undoing the import leaves it, because it was changed or used since; for `lists`, the number of lists.",
    }),
    count: Count,
  },
  { $id: "ImportCount", description: "How many items of an import had the same outcome." },
);
export type ImportCount = Static<typeof ImportCount>;

export const Import = Type.Object(
  {
    id: Id,
    platform: oneOf(importPlatforms),
    parts: Type.Array(oneOf(importParts)),
    state: oneOf(importStates, {
      description:
        "`undone`: it was undone, and some of what it added stayed. If nothing stays, it is no longer listed.",
    }),
    problem: nullable(oneOf(importProblems), {
      description:
        "Why it failed: `not_recognized` (the file has nothing in it that this platform exports), `damaged`, `too_large` (unpacked, or in files), `suspended` (the account was suspended meanwhile), `internal` (a fault of the service), `undo_failed` (the same, while undoing it: undo it again). Null if it didn't.",
      examples: [null],
    }),
    continuesAt: nullable(Time, {
      description:
        "When it continues, if it pauses: converting its pictures has used up your time for that in this hour.",
      examples: [null],
    }),
    done: Type.Integer({ ...Count, description: "The items that were dealt with so far." }),
    total: nullable(Count, { description: "The items to deal with; null until the file is read." }),
    counts: Type.Array(ImportCount, {
      description: "What became of them. While the import is being undone and after that, what stays.",
    }),
    missing: Type.Boolean({
      description:
        "Whether there is a list of what isn't here: `GET /api/users/me/imports/{id}/missing` returns it.",
    }),
    createdAt: Time,
    finishedAt: nullable(Time, { examples: [null] }),
  },
  { $id: "Import", description: "An import of an export from another platform." },
);
export type Import = Static<typeof Import>;

export const MissingItem = Type.Object(
  {
    part: oneOf(importParts, { examples: ["follows"] }),
    name: { ...UserText, examples: ["ada@social.example"] },
  },
  {
    $id: "MissingItem",
    description: "An account, community or post in an export that isn't here: its name or its address.",
  },
);
export type MissingItem = Static<typeof MissingItem>;
