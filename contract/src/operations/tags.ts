import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, signedIn } from "../operation.ts";
import { MentionHit, Tag } from "../resources.ts";
import { filledPrivateText, optional } from "../schema.ts";

const area = "Creators and follows";

export const listTags = operation({
  name: "listTags",
  area,
  route: "GET /api/tags",
  access: anyone,
  query: {
    q: optional(
      filledPrivateText(limits.tag + 1, {
        description:
          "List hashtags that begin with this, ignoring case, instead of trending ones. Its `#` may be left out.",
        examples: ["ty"],
      }),
    ),
    fields: fieldsOf(Tag),
  },
  response: { tags: Type.Array(Tag) },
  description: `List trending hashtags: up to ${limits.trendingTags} that at least ${limits.trending.people} people used within the last ${limits.trending.hours} hours, those that most people used first. With \`q\`, up to ${limits.completions} that as many people used and that begin with it. Leaves out hashtags that you mute.`,
});

export const suggestMentions = operation({
  name: "suggestMentions",
  area,
  route: "GET /api/mentions/suggestions",
  access: signedIn,
  query: {
    q: filledPrivateText(limits.displayName, {
      description: "What was typed so far, without the `@`.",
      examples: ["ad"],
    }),
    fields: fieldsOf(MentionHit),
  },
  response: { accounts: Type.Array(MentionHit) },
  description: `Suggest up to ${limits.completions} accounts to mention while someone types. First those you know (you follow them, are friends or exchanged messages; for a key, only those you follow) whose username or a word of whose display name begins with \`q\`; then others whose username does, those with most followers first. Leaves out yourself, suspended accounts and those that a block separates from you.`,
});
