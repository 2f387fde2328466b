import Type, { type Static } from "typebox";
import { nullableUserText, UserText } from "./resources.ts";
import { Count, nullable, oneOf, Time } from "./schema.ts";
import { skipReasonNames, skipReasons } from "./skip-reasons.ts";

/** How a visit ended. */
export const visitOutcomes = ["unchanged", "imported", "failed", "postponed"] as const;
export type VisitOutcome = (typeof visitOutcomes)[number];

const Reason = oneOf(skipReasonNames, {
  description: Object.entries(skipReasons)
    .map(([name, sentence]) => `\`${name}\`: ${sentence}`)
    .join(" "),
});

export const SkippedItem = Type.Object(
  {
    reason: Reason,
    title: nullable(UserText, {
      description: "Null if it has none, or if the reason is that it shouldn't be shown.",
      examples: ["Weaving at night"],
    }),
    url: nullableUserText("https://example.org/weaving"),
  },
  { $id: "SkippedItem", description: "An item that a visit didn't take." },
);
export type SkippedItem = Static<typeof SkippedItem>;

export const SourceVisit = Type.Object(
  {
    number: Type.Integer({ minimum: 1, examples: [42], description: "Counts the visits to the source." }),
    startedAt: Time,
    durationMs: Count,
    outcome: oneOf(visitOutcomes, {
      description:
        "`unchanged`: the origin had nothing new. `imported`: posts were added, changed or deleted. `failed`: see `error`. `postponed`: the host was busy, or asked for a pause (`Retry-After`); the next visit replaces this one in the list.",
    }),
    seen: Type.Integer({
      minimum: 0,
      examples: [25],
      description: "Items that could be read, new or known.",
    }),
    added: Type.Integer({ minimum: 0, examples: [2], description: "New posts." }),
    changed: Type.Integer({ minimum: 0, examples: [1], description: "Posts whose text or score changed." }),
    withdrawn: Type.Integer({
      minimum: 0,
      examples: [0],
      description: "Posts that were deleted here because the origin deleted them.",
    }),
    skipped: Type.Array(Type.Object({ reason: Reason, count: Count }), {
      description: "How many items weren't taken, by reason; most frequent first.",
    }),
    examples: Type.Array(SkippedItem, { description: "Some of the items that weren't taken." }),
    error: nullable(Type.String(), {
      description: "Why it failed, or was postponed.",
      examples: [null],
    }),
    requests: Type.Integer({ minimum: 0, examples: [1], description: "Requests for pages of the source." }),
    bytes: Type.Integer({
      minimum: 0,
      examples: [48_210],
      description: "The size of the responses, decompressed.",
    }),
  },
  { $id: "SourceVisit", description: "One visit to a source: what came, and what was made of it." },
);
export type SourceVisit = Static<typeof SourceVisit>;
