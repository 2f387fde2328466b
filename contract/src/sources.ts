import Type, { type Static } from "typebox";
import { originNames } from "./origins.ts";
import { maybe, NullTime, said, UserText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

/** How it stands with a source. */
export const sourceStates = ["new", "working", "failing", "set_aside", "removing"] as const;
export type SourceState = (typeof sourceStates)[number];

export const Source = Type.Object(
  {
    id: Id,
    platform: oneOf(originNames),
    name: said("Example Weekly"),
    url: nullable(UserText, {
      description: "What is asked for what is new; null for a source that nothing is gathered from any more.",
      examples: ["https://example.org/feed.xml"],
    }),
    community: maybe("example.org"),
    enabled: Type.Boolean({ description: "Whether it is asked at all." }),
    state: oneOf(sourceStates, {
      description:
        "`new`: not asked yet, or not since it was enabled again. `failing`: asked again after ever longer pauses. `set_aside`: it failed for days, is gone for good, or has moved to where another source is; it is asked no more until it is enabled again. `removing`: its posts are being removed, and then it.",
    }),
    intervalSeconds: Type.Integer({
      minimum: 0,
      examples: [900],
      description: "How often it is asked, by how often something new was there.",
    }),
    failures: Type.Integer({ minimum: 0, examples: [0], description: "How often in a row it failed." }),
    lastError: nullable(Type.String(), { examples: [null] }),
    nextAt: nullable(Time, { description: "When it is asked next.", examples: [null] }),
    polledAt: NullTime,
    newestAt: nullable(Time, { description: "When something new was last there.", examples: [null] }),
    createdAt: Time,
  },
  { $id: "Source", description: "A place that posts are gathered from, as admins see it." },
);

export type Source = Static<typeof Source>;
