import Type, { type Static } from "typebox";
import { limits } from "./limits.ts";
import { Count, nullable, oneOf, Time } from "./schema.ts";

/** A comment on an imported post at its origin. */
export const OriginComment = Type.Object(
  {
    author: Type.String({
      "x-user-text": true,
      description: "The author's name there.",
      examples: ["mary_s"],
    }),
    body: Type.String({
      "x-user-text": true,
      description: `Plain text, at most ${limits.commentBody} characters.`,
      examples: ["Well said."],
    }),
    score: nullable(Type.Integer(), {
      description: "Its score there; null if the platform doesn't say.",
      examples: [12],
    }),
    postedAt: nullable(Time),
    depth: Type.Integer({
      ...Count,
      description: "0 for a comment on the post, 1 for a reply to it, and so on.",
    }),
    url: nullable(Type.String({ "x-user-text": true }), {
      description: "Its own page there.",
      examples: ["https://www.reddit.com/r/engines/comments/1abcd/on_engines/k1/"],
    }),
    provenance: nullable(oneOf(["ai_generated"]), {
      description: "`ai_generated` if the platform marks its author as a bot; null if it says nothing.",
      examples: [null],
    }),
    hidden: Type.Boolean({
      description: "Whether the body is omitted because you hide AI content, or because of a mute.",
    }),
    muted: Type.Boolean({
      description: "Whether the body is omitted because you mute its author, or a word or tag in it.",
    }),
  },
  { $id: "OriginComment" },
);
export type OriginComment = Static<typeof OriginComment>;
