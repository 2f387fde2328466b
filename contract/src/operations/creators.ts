import Type from "typebox";
import { Author, Cursor, fieldsOf, NextCursor, Platform } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope, signedIn } from "../operation.ts";
import { Creator, CreatorHit, Follow, TopPost, Totals } from "../resources.ts";
import { optional, privateLine } from "../schema.ts";

const area = "Creators and follows";
const whom = { platform: Platform, author: Author };

export const searchCreators = operation({
  name: "searchCreators",
  area,
  route: "GET /api/creators/search",
  access: anyone,
  query: {
    q: privateLine(limits.query, {
      description: `Words, at most ${limits.queryTerms} different ones.`,
      examples: ["ada"],
    }),
    fields: fieldsOf(CreatorHit),
  },
  answer: { creators: Type.Array(CreatorHit) },
  tool: "own",
  description: `Creators whose name holds every word of \`q\`, in any case; those with most posts first, at most ${limits.creatorHits}.`,
});

export const readCreator = operation({
  name: "readCreator",
  area,
  route: "GET /api/creators/{platform}/{author}",
  access: anyone,
  params: whom,
  answer: { creator: Creator },
  errors: ["not_found"],
  description: "Who a creator is, here or on an origin.",
});

export const listFollows = operation({
  name: "listFollows",
  area,
  route: "GET /api/follows",
  access: signedIn,
  query: { cursor: optional(Cursor), fields: fieldsOf(Follow) },
  answer: { follows: Type.Array(Follow), nextCursor: NextCursor },
  description: `Whom the caller follows; past ${limits.longList} a cursor leads on.`,
});

export const follow = operation({
  name: "follow",
  area,
  route: "POST /api/follows",
  access: scope("engagement:write"),
  body: whom,
  answer: { following: Type.Boolean({ examples: [true] }) },
  errors: ["not_found"],
  effect: "sets",
  tool: "own",
  description: `Follow a creator, here or on an origin; at most ${limits.followsPerAccount} an account.`,
});

export const unfollow = operation({
  name: "unfollow",
  area,
  route: "DELETE /api/follows",
  access: scope("engagement:write"),
  body: whom,
  answer: { following: Type.Boolean({ examples: [false] }) },
  errors: ["not_found"],
  effect: "sets",
  tool: "own",
  description: "Stop following a creator.",
});

export const analytics = operation({
  name: "analytics",
  area,
  route: "GET /api/creators/me/analytics",
  access: signedIn,
  query: { fields: fieldsOf(TopPost) },
  answer: { totals: Totals, topPosts: Type.Array(TopPost) },
  description: `The caller's totals, and the ${limits.topPosts} most viewed of its posts.`,
});
