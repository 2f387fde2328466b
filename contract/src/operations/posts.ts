import Type from "typebox";
import { AnyPlatform, Author, byId, Cursor, fieldsOf, Link, NextCursor, PageSize } from "../fields.ts";
import { picture, several, video } from "../files.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope, sessionOnly } from "../operation.ts";
import {
  anyCommunityTerm,
  type CommunityTerm,
  communityTerms,
  originNames,
  origins,
  platformNames,
} from "../origins.ts";
import {
  Alt,
  Alts,
  Body,
  ContentWarning,
  postFields,
  QuotePolicy,
  Sensitive,
  Title,
} from "../post-fields.ts";
import { Post } from "../post-resources.ts";
import { provenanceBases, provenances } from "../provenance.ts";
import {
  csvOf,
  DayInput,
  filledPrivateText,
  flag,
  Id,
  nullable,
  oneOf,
  optional,
  privateText,
  publicLine,
} from "../schema.ts";
import { clearedCount, nextVersions, PostVersion, versionPage } from "../versions.ts";

const area = "Posts";
const write = scope("posts:write");
/** A parameter for each platform's term for a community. */
const communityParameters = Object.fromEntries(
  communityTerms.map((term) => [term, communityName(term)]),
) as Record<CommunityTerm, ReturnType<typeof communityName>>;

function communityName(term: CommunityTerm) {
  const platforms = term === anyCommunityTerm ? "any platform" : originsWith(term);
  const description = { description: `Only posts from this ${term} on ${platforms}.` };
  // MCP tools get only the parameter that works for all platforms.
  return optional(
    publicLine(
      limits.importedCommunityName,
      term === anyCommunityTerm ? description : { ...description, "x-no-tool": true },
    ),
  );
}

function originsWith(term: CommunityTerm): string {
  return originNames.filter((name) => origins[name].communityTerm === term).join(" or ");
}

const Provenances = csvOf(provenances, {
  description: `Any of ${provenances.join(", ")}, comma-separated.`,
  examples: ["human"],
});

const Bases = csvOf(provenanceBases, {
  description: `Where the provenance comes from: any of ${provenanceBases.join(", ")} (no one vouched for it), comma-separated.`,
  examples: ["declared,origin"],
});

export const listPosts = operation({
  name: "listPosts",
  area,
  route: "GET /api/posts",
  access: anyone,
  query: {
    limit: optional(PageSize),
    cursor: optional(Cursor),
    sort: optional(
      oneOf(["new", "hot"], {
        description: `\`new\`: newest first, the default. \`hot\`: best first, to a depth of ${limits.hotDepth} posts.`,
      }),
    ),
    q: optional(
      privateText(0, limits.query, {
        description: `Every word must occur in the title or body; a hashtag finds posts with it. Case is ignored; at most ${limits.queryTerms} different words. A search ends the page after examining ${limits.searchDepth} posts.`,
        examples: ["engine"],
      }),
    ),
    media: optional(oneOf(["video"], { description: "Only posts with a video." })),
    saved: optional(flag({ description: "Only posts that you saved.", "x-needs-caller": true })),
    liked: optional(flag({ description: "Only posts that you liked.", "x-needs-caller": true })),
    followed: optional(
      flag({
        description: "Only posts by creators, with hashtags or in communities that you follow.",
        "x-needs-caller": true,
      }),
    ),
    listId: optional(
      Type.Integer({
        ...Id,
        "x-needs-caller": true,
        "x-needs-scope": "engagement:write",
        description: "Only posts by the creators on your list with this id.",
      }),
    ),
    collectionId: optional(
      Type.Integer({
        ...Id,
        "x-needs-caller": true,
        "x-needs-scope": "engagement:write",
        description:
          "Only posts in your collection with this id. The last added comes first, except with `q`, `since` or `until`, which sort as in every feed.",
      }),
    ),
    author: optional(Author),
    imported: optional(
      flag({
        "x-no-tool": true,
        description:
          "Only posts that the `author` imported from another platform's export; none without `author`. Searches find these, too; other feeds leave them out.",
      }),
    ),
    platform: optional(AnyPlatform),
    sourceId: optional(
      Type.Integer({
        ...Id,
        "x-no-tool": true,
        description:
          "Only posts imported from this source, such as one feed. Admins can list the ids of sources.",
      }),
    ),
    provenance: optional(Provenances),
    basis: optional(Bases),
    since: optional({
      ...DayInput,
      description: "From this day (UTC) on; sorted by `postedAt`.",
    }),
    until: optional({ ...DayInput, description: "Until this day (UTC)." }),
    ...communityParameters,
    fields: fieldsOf(Post),
  },
  response: { posts: Type.Array(Post), nextCursor: NextCursor },
  errors: ["not_found"],
  exposure: "tool",
  description: `List posts (the feed). Platforms: ${platformNames.join(", ")}.`,
});

export const listSimilarPosts = operation({
  name: "listSimilarPosts",
  area,
  route: "GET /api/search/similar",
  access: anyone,
  query: {
    q: optional(
      filledPrivateText(limits.query, {
        description: "List posts that mean something similar, with these words or others. In English.",
        examples: ["how engines were invented"],
      }),
    ),
    postId: optional(
      Type.Integer({ ...Id, description: "Instead of `q`: list posts that are similar to this one." }),
    ),
    platform: optional(AnyPlatform),
    provenance: optional(Provenances),
    basis: optional(Bases),
    limit: optional(PageSize),
    fields: fieldsOf(Post),
  },
  response: {
    posts: Type.Array(Post),
    available: Type.Boolean({
      description: "Whether this server finds posts by meaning. Otherwise `posts` is empty.",
      examples: [false],
    }),
  },
  errors: ["not_found"],
  exposure: "optional",
  description: `List posts by what they mean, the most similar first: up to ${limits.page.max} of the newest ${limits.similarDepth}. New and edited posts are found within a minute.`,
});

export const createPost = operation({
  name: "createPost",
  area,
  route: "POST /api/posts",
  access: write,
  quota: "posts",
  body: { ...postFields, alt: optional(Alt), alts: optional(Alts) },
  files: {
    image: several(
      limits.picturesPerPost,
      picture({ bytes: limits.imageBytes, description: "A picture; ignored if there is a video." }),
    ),
    video: video({ bytes: limits.videoBytes, description: "A video." }),
    thumbnail: picture({ bytes: limits.thumbnailBytes, description: "The video's poster." }),
  },
  response: { post: Post },
  errors: [
    "not_found",
    "file_too_large",
    "forbidden",
    "ai_policy",
    "membership_required",
    "community_banned",
    "community_closed",
  ],
  exposure: "tool",
  description:
    "Publish a post. With a `url`, it is a link post, unless it has a picture or video. With a `quoteId`, it shows that post, whose author is notified. With a `poll`, readers can vote.",
});

export const readPost = operation({
  name: "readPost",
  area,
  route: "GET /api/posts/{id}",
  access: anyone,
  params: byId,
  response: { post: Post },
  errors: ["not_found"],
  exposure: "tool",
  description: "Get a post.",
});

export const listStory = operation({
  name: "listStory",
  area,
  route: "GET /api/posts/{id}/story",
  access: anyone,
  params: byId,
  query: { fields: fieldsOf(Post) },
  response: { posts: Type.Array(Post) },
  errors: ["not_found"],
  description: `List the posts that were imported for the same link as this one, including this one, earliest first; at most ${limits.page.max}.`,
});

export const editPost = operation({
  name: "editPost",
  area,
  route: "PATCH /api/posts/{id}",
  access: write,
  params: byId,
  body: {
    title: optional(Title),
    body: optional(Body),
    url: optional(nullable(Link)),
    alt: optional(Alt),
    alts: optional(Alts),
    contentWarning: optional(ContentWarning),
    sensitive: optional(Sensitive),
    quotePolicy: optional(QuotePolicy),
  },
  response: { post: Post },
  errors: ["not_found", "forbidden", "ai_policy", "community_banned", "community_closed"],
  exposure: "tool",
  description:
    "Edit your own post. Null clears body, url, alt, alts or contentWarning. An edit by a key marks the post as AI content, unless it changes only who can quote it.",
});

export const listPostVersions = operation({
  name: "listPostVersions",
  area,
  route: "GET /api/posts/{id}/versions",
  access: anyone,
  params: byId,
  query: { ...versionPage, fields: fieldsOf(PostVersion) },
  response: { versions: Type.Array(PostVersion), ...nextVersions },
  errors: ["not_found"],
  description:
    "List a post's versions, latest first, beginning with what it shows now. Missing numbers are versions that aren't kept.",
});

export const clearPostVersions = operation({
  name: "clearPostVersions",
  area,
  route: "DELETE /api/posts/{id}/versions",
  access: sessionOnly,
  params: byId,
  response: clearedCount,
  errors: ["not_found", "forbidden"],
  whileSuspended: true,
  description:
    "Remove the content of your own post's earlier versions, such as something private. The list keeps each version's time, maker and AI mark, and says that you cleared it.",
});

const pinning = (pinned: boolean) => ({ pinned: Type.Boolean({ examples: [pinned] }) });

export const pinPost = operation({
  name: "pinPost",
  area,
  route: "POST /api/posts/{id}/pin",
  access: sessionOnly,
  params: byId,
  response: pinning(true),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: "Show your post first on your profile, instead of the one that was pinned before.",
});

export const unpinPost = operation({
  name: "unpinPost",
  area,
  route: "DELETE /api/posts/{id}/pin",
  access: sessionOnly,
  params: byId,
  response: pinning(false),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: "No longer show your post first on your profile.",
});

export const listQuotes = operation({
  name: "listQuotes",
  area,
  route: "GET /api/posts/{id}/quotes",
  access: anyone,
  params: byId,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Post) },
  response: { posts: Type.Array(Post), nextCursor: NextCursor },
  errors: ["not_found"],
  description: "List the posts that quote a post, newest first.",
});

export const detachQuote = operation({
  name: "detachQuote",
  area,
  route: "DELETE /api/posts/{id}/quotes/{quotingId}",
  access: sessionOnly,
  params: { ...byId, quotingId: { ...Id, description: "The post that quotes it." } },
  response: { detached: Type.Literal(true) },
  errors: ["not_found", "forbidden"],
  effect: "sets",
  whileSuspended: true,
  description:
    "Take your post out of another that quotes it; no effect if that doesn't. This can't be undone.",
});

export const deletePost = operation({
  name: "deletePost",
  area,
  route: "DELETE /api/posts/{id}",
  access: write,
  params: byId,
  response: { deleted: Type.Literal(true) },
  errors: ["not_found", "forbidden"],
  exposure: "tool",
  whileSuspended: true,
  description: "Permanently delete your own post with its comments, likes and everything attached.",
});

export const attachProduct = operation({
  name: "attachProduct",
  area,
  route: "POST /api/posts/{id}/products",
  access: scope("products:write"),
  params: byId,
  body: { productId: Id },
  response: { post: Post },
  errors: ["not_found", "forbidden", "denied_link", "ai_policy", "community_banned", "community_closed"],
  effect: "sets",
  description: `Attach one of your products to one of your posts; at most ${limits.productsPerPost} products per post, and ${limits.postsPerProduct} posts per product. This is an edit: a key marks the post as AI content.`,
});
