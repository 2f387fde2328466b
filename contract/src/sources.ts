import Type, { type Static } from "typebox";
import { originNames } from "./origins.ts";
import { NullTime, nullableUserText, UserText, userText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

/** The states of a source. */
export const sourceStates = ["new", "working", "failing", "set_aside", "removing"] as const;
export type SourceState = (typeof sourceStates)[number];

/** Whether a hub announces what is new in a source's feed. */
export const sourcePushes = ["none", "pending", "active"] as const;
export type SourcePush = (typeof sourcePushes)[number];

export const Source = Type.Object(
  {
    id: Id,
    platform: oneOf(originNames),
    name: userText("Example Weekly"),
    url: nullable(UserText, {
      description:
        "The address that is polled for new posts; null for a source without one, which is never polled.",
      examples: ["https://example.org/feed.xml"],
    }),
    community: nullableUserText("example.org"),
    enabled: Type.Boolean({ description: "Whether it is polled." }),
    state: oneOf(sourceStates, {
      description:
        "`new`: not polled yet, or not since it was last enabled. `working`: the last poll succeeded. `failing`: the last poll failed; it is retried at increasing intervals. `set_aside`: it failed for days, no longer exists, or has moved to the address of another source; it isn't polled until you enable it again. `removing`: its posts are being deleted, then the source itself.",
    }),
    intervalSeconds: Type.Integer({
      minimum: 0,
      examples: [900],
      description: "The polling interval, which adapts to how often there is something new.",
    }),
    importedPosts: Type.Integer({
      minimum: 0,
      examples: [120],
      description: "How many posts were imported from it, including those deleted since.",
    }),
    failures: Type.Integer({
      minimum: 0,
      examples: [0],
      description: "How many times in a row it has failed.",
    }),
    lastError: nullable(Type.String(), { examples: [null] }),
    nextAt: nullable(Time, { description: "When it is polled next.", examples: [null] }),
    polledAt: NullTime,
    newestAt: nullable(Time, { description: "When it last had something new.", examples: [null] }),
    push: oneOf(sourcePushes, {
      description:
        "Whether a hub announces what is new within seconds (WebSub). `none`: the feed names no hub, or the hub refused. `pending`: the hub was asked. `active`: it announces, and polling is only a safety net.",
    }),
    pushUntil: nullable(Time, {
      description: "When the hub's announcements end; they are renewed before.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Source", description: "A source that posts are imported from, as admins see it." },
);

export type Source = Static<typeof Source>;

/** What an import made of an address. */
export const importResults = ["added", "existing", "invalid", "refused"] as const;
export type ImportResultName = (typeof importResults)[number];

export const ImportResult = Type.Object(
  {
    url: userText("https://example.org/feed.xml"),
    name: nullableUserText("Example Weekly"),
    result: oneOf(importResults, {
      description:
        "`added`: it is a source now, and visited soon. `existing`: it was a source already. `invalid`: it isn't a web address. `refused`: no requests may be sent to it, or it is a source that is being removed.",
    }),
    sourceId: nullable(Id),
    message: nullable(Type.String(), {
      description: "Why it isn't a source.",
      examples: [null],
    }),
  },
  { $id: "ImportResult", description: "What an import made of one address of its file." },
);

export type ImportResult = Static<typeof ImportResult>;
