import Type, { type Static } from "typebox";
import { Cursor, NextCursor } from "./fields.ts";
import { limits } from "./limits.ts";
import { mediaTypes, Poll } from "./post-resources.ts";
import { provenanceBases, provenances } from "./provenance.ts";
import { NullUserText, nullableUserText, userText } from "./resources.ts";
import { Count, Id, nullable, oneOf, optional, Time } from "./schema.ts";
import { versionClearers, versionMakers } from "./version-names.ts";

/** Versions of posts and comments. Anyone who may read a post or comment may read its versions. */

const versionFields = {
  version: Type.Integer({ minimum: 1, examples: [1], description: "1 is the first; each edit adds 1." }),
  current: Type.Boolean({ description: "Whether it is what is shown now." }),
  madeAt: Type.String({
    ...Time,
    description: "When it was made; for an imported post, when a change at its origin was found.",
  }),
  madeBy: oneOf(versionMakers, {
    description:
      "Who made it: a `person`, an `ai` (a key or agent), or the `origin` of an imported post. `unknown` for edits before versions were kept.",
    examples: ["person"],
  }),
  key: nullable(
    Type.Object({
      id: Id,
      name: nullable(userText("Nightly digest"), { description: "Null if the key was revoked." }),
    }),
    {
      description: "The key that made it. Only shown to the person who is responsible for the author.",
      examples: [null],
    },
  ),
  provenance: oneOf(provenances, {
    description:
      "Whether people or AI wrote this version, as its AI label said. Edits never remove an AI mark.",
  }),
  provenanceBasis: oneOf(provenanceBases, { examples: ["declared"] }),
  notKept: Type.Integer({
    minimum: 0,
    examples: [0],
    description: `The number of versions directly before it that aren't kept. The first and the latest ${limits.versionsKept} edited ones are kept; ${limits.importedVersionsKept} of an imported post.`,
  }),
  cleared: nullable(
    Type.Object({
      at: Time,
      by: oneOf(versionClearers, { description: "The `author`, or a `moderator`." }),
    }),
    { description: "Who removed its content, and when; null if it is kept.", examples: [null] },
  ),
};

export const PostVersion = Type.Object(
  {
    ...versionFields,
    title: nullableUserText("A note on the engine"),
    body: nullableUserText("It might act upon other things besides number."),
    url: NullUserText,
    mediaType: nullable(oneOf(mediaTypes)),
    alt: nullableUserText("A loom with punched cards."),
    alts: nullable(Type.Array(NullUserText), {
      description: "The descriptions of its pictures, if it had several.",
      examples: [null],
    }),
    contentWarning: NullUserText,
    sensitive: Type.Boolean({
      description: "Whether its media and link preview were marked as sensitive.",
      examples: [false],
    }),
    quoteId: nullable(Id, { description: "The post that it quoted.", examples: [null] }),
    poll: nullable(Poll, { description: "Its poll, which no edit changes.", examples: [null] }),
    otherMedia: Type.Boolean({
      description: "Whether it showed another picture or video than now. Replaced files aren't kept.",
    }),
    productIds: Type.Array(Id, { description: "The products that were attached.", examples: [[]] }),
  },
  { $id: "PostVersion", description: "A post as it was, or is now. Content that was cleared is null." },
);
export type PostVersion = Static<typeof PostVersion>;

export const CommentVersion = Type.Object(
  { ...versionFields, body: nullableUserText("Well said.") },
  { $id: "CommentVersion", description: "A comment as it was, or is now. Content that was cleared is null." },
);
export type CommentVersion = Static<typeof CommentVersion>;

/** Query and response fields of the operations that list versions. */
export const versionPage = {
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.page.max,
      description: `Versions per page; ${limits.page.default} by default.`,
      examples: [limits.page.default],
    }),
  ),
  cursor: optional(Cursor),
};

export const nextVersions = { nextCursor: NextCursor };
export const clearedCount = { cleared: Count };
