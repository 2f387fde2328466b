import Type from "typebox";
import { Author, Cursor, fieldsOf, NextCursor, Platform } from "../fields.ts";
import { limits } from "../limits.ts";
import { Mute } from "../mutes.ts";
import { operation, scope } from "../operation.ts";
import { filledPrivateText, nullable, optional, TimeInput } from "../schema.ts";

const area = "Mutes";
const access = scope("engagement:write");

/** One of these: an account, a word or a tag. */
const target = {
  platform: optional({ ...Platform, description: "Of an account, with `author`." }),
  author: optional(Author),
  word: optional(
    filledPrivateText(limits.mutedText, {
      description: "A word or phrase.",
      examples: ["steam engine"],
    }),
  ),
  tag: optional(
    filledPrivateText(limits.mutedText, {
      description: "A tag, with or without its `#`.",
      examples: ["#engines"],
    }),
  ),
};

export const listMutes = operation({
  name: "listMutes",
  area,
  route: "GET /api/mutes",
  access,
  query: { cursor: optional(Cursor), fields: fieldsOf(Mute) },
  response: { mutes: Type.Array(Mute), nextCursor: NextCursor },
  description: `List the accounts, words and tags that you mute, latest first, up to ${limits.longList} per page.`,
});

export const mute = operation({
  name: "mute",
  area,
  route: "POST /api/mutes",
  access,
  body: {
    ...target,
    until: optional(
      nullable(TimeInput, {
        description: "When it ends. Without it, the mute lasts until you remove it.",
      }),
    ),
  },
  response: { mute: Mute },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: `Mute an account (\`platform\` and \`author\`), a \`word\` or phrase, or a \`tag\`: what they write, or what contains it, is left out of your feeds, searches and lists, and comments come without their text. A muted person's agents are muted, too, and none of them causes notifications. Muting again replaces \`until\`. No one else learns of it. At most ${limits.mutedAccounts} accounts, and ${limits.mutedTexts} words and tags.`,
});

export const unmute = operation({
  name: "unmute",
  area,
  route: "DELETE /api/mutes",
  access,
  body: target,
  response: { muted: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: "Remove a mute: the account, word or tag that you muted.",
});
