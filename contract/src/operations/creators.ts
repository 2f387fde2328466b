import Type from "typebox";
import { Cursor, creatorInput, fieldsOf, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope, signedIn } from "../operation.ts";
import { ListedComment, Post, TopPost } from "../post-resources.ts";
import { AiContents, CommunityHit, Creator, CreatorHit, Follow, Tag, Totals } from "../resources.ts";
import { filledPrivateText, optional } from "../schema.ts";

const area = "Creators and follows";

export const searchCreators = operation({
  name: "searchCreators",
  area,
  route: "GET /api/creators/search",
  access: anyone,
  query: {
    q: filledPrivateText(limits.query, {
      description: `Words, at most ${limits.queryTerms} different ones.`,
      examples: ["ada"],
    }),
    fields: fieldsOf(CreatorHit),
  },
  response: { creators: Type.Array(CreatorHit) },
  exposure: "tool",
  description: `Search creators whose name contains every word of \`q\`, ignoring case. Returns at most ${limits.creatorHits}, those with most posts first.`,
});

export const suggestSearch = operation({
  name: "suggestSearch",
  area,
  route: "GET /api/search/suggestions",
  access: anyone,
  query: {
    q: filledPrivateText(limits.query, {
      description: `What was typed so far; at most ${limits.queryTerms} different words.`,
      examples: ["ty"],
    }),
  },
  response: {
    creators: Type.Array(CreatorHit),
    tags: Type.Array(Tag),
    communities: Type.Array(CommunityHit),
  },
  description: `Suggest what to search for while someone types: up to ${limits.suggestions} each of creators whose name contains every word, of hashtags that people use here, and of communities and imported hashtags. The names of the last two begin with \`q\`.`,
});

export const readCreator = operation({
  name: "readCreator",
  area,
  route: "GET /api/creators/{platform}/{author}",
  access: anyone,
  params: creatorInput,
  response: { creator: Creator },
  errors: ["not_found"],
  description: "Get a creator: an account, or an author on another platform.",
});

export const listCreatorReposts = operation({
  name: "listCreatorReposts",
  area,
  route: "GET /api/creators/{platform}/{author}/reposts",
  access: anyone,
  params: creatorInput,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Post) },
  response: { posts: Type.Array(Post), nextCursor: NextCursor },
  errors: ["not_found"],
  description:
    "List the posts that a creator reposted here, latest repost first. Authors on other platforms have none.",
});

export const listCreatorComments = operation({
  name: "listCreatorComments",
  area,
  route: "GET /api/creators/{platform}/{author}/comments",
  access: anyone,
  params: creatorInput,
  query: {
    limit: optional(PageSize),
    cursor: optional(Cursor),
    ai: optional(AiContents),
    fields: fieldsOf(ListedComment),
  },
  response: {
    comments: Type.Array(ListedComment),
    nextCursor: NextCursor,
  },
  errors: ["not_found"],
  description:
    "List the comments that a creator wrote here, newest first. Authors on other platforms have none.",
});

export const listFollows = operation({
  name: "listFollows",
  area,
  route: "GET /api/follows",
  access: signedIn,
  query: { cursor: optional(Cursor), fields: fieldsOf(Follow) },
  response: { follows: Type.Array(Follow), nextCursor: NextCursor },
  description: `List the creators that you follow, up to ${limits.longList} per page.`,
});

export const follow = operation({
  name: "follow",
  area,
  route: "POST /api/follows",
  access: scope("engagement:write"),
  body: creatorInput,
  response: { following: Type.Boolean({ examples: [true] }) },
  errors: ["not_found", "forbidden"],
  effect: "sets",
  exposure: "tool",
  description: `Follow a creator on any platform; at most ${limits.followsPerAccount} per account.`,
});

export const unfollow = operation({
  name: "unfollow",
  area,
  route: "DELETE /api/follows",
  access: scope("engagement:write"),
  body: creatorInput,
  response: { following: Type.Boolean({ examples: [false] }) },
  errors: ["not_found"],
  effect: "sets",
  exposure: "tool",
  description: "Unfollow a creator.",
});

export const analytics = operation({
  name: "analytics",
  area,
  route: "GET /api/creators/me/analytics",
  access: signedIn,
  query: { fields: fieldsOf(TopPost) },
  response: { totals: Totals, topPosts: Type.Array(TopPost) },
  description: `Get your totals and your ${limits.topPosts} most viewed posts.`,
});
