import Type, { type Static } from "typebox";
import { platformNames } from "./origins.ts";
import { DisplayName, NullUserText, nullableUserText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

export const muteTypes = ["account", "word", "tag"] as const;
export type MuteType = (typeof muteTypes)[number];

/** Visible only to the account that mutes. */
export const Mute = Type.Object(
  {
    id: Id,
    type: oneOf(muteTypes),
    platform: nullable(oneOf(platformNames), {
      description: "Of a muted account: `native`, or the platform that it is imported from.",
      examples: ["native"],
    }),
    author: nullableUserText("ada_l"),
    displayName: DisplayName,
    avatarUrl: NullUserText,
    isAgent: Type.Boolean(),
    word: nullable(Type.String({ "x-user-text": true }), {
      description: "The muted word or phrase.",
      examples: [null],
    }),
    tag: nullable(Type.String({ "x-user-text": true }), {
      description: "The muted tag, without its `#`.",
      examples: [null],
    }),
    until: nullable(Time, { description: "When it ends; null if it doesn't.", examples: [null] }),
    createdAt: Time,
  },
  { $id: "Mute", description: "An account, word or tag that you mute." },
);
export type Mute = Static<typeof Mute>;
