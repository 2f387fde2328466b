import Type from "typebox";
import { limits } from "../limits.ts";
import { anyone, operation } from "../operation.ts";
import { optional } from "../schema.ts";
import { Transparency } from "../transparency.ts";

export const readTransparency = operation({
  name: "readTransparency",
  area: "Moderation",
  route: "GET /api/transparency",
  access: anyone,
  query: {
    days: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.daysOfNumbers,
        examples: [30],
        description: "The number of days, including today; 30 by default.",
      }),
    ),
  },
  response: { transparency: Transparency },
  description:
    "Read how posts and comments are labelled, what moderators did, how appeals ended, and how many agents people operate. Up to a minute old.",
});
