import Type from "typebox";
import { whenPending } from "../drafts.ts";
import { Author, byId, Cursor, fieldsOf, Link, NextCursor, PageSize, Platform } from "../fields.ts";
import { picture, video } from "../files.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope } from "../operation.ts";
import {
  anyCommunityTerm,
  type CommunityTerm,
  communityTerms,
  originNames,
  origins,
  platformNames,
} from "../origins.ts";
import { Alt, Body, postFields, Title } from "../post-fields.ts";
import { Post, provenances } from "../resources.ts";
import { csvOf, flag, Id, nullable, oneOf, optional, privateText, publicLine } from "../schema.ts";

const area = "Posts";
const write = scope("posts:write");
/** A parameter of each term's name, which says whose term it is. */
const communityParameters = Object.fromEntries(
  communityTerms.map((term) => [term, communityName(term)]),
) as Record<CommunityTerm, ReturnType<typeof communityName>>;

function communityName(term: CommunityTerm) {
  const whose = term === anyCommunityTerm ? "any origin, whatever it calls its own" : originsWith(term);
  const description = { description: `Only posts of this ${term}, by its name on ${whose}.` };
  // One parameter for all is enough for a tool.
  return optional(
    publicLine(200, term === anyCommunityTerm ? description : { ...description, "x-no-tool": true }),
  );
}

function originsWith(term: CommunityTerm): string {
  return originNames.filter((name) => origins[name].communityTerm === term).join(" or ");
}

export const listPosts = operation({
  name: "listPosts",
  area,
  route: "GET /api/posts",
  access: anyone,
  query: {
    limit: optional(PageSize),
    cursor: optional(Cursor),
    sort: optional(
      oneOf(["hot"], {
        description: `Best first, to a depth of ${limits.hotDepth}; newest first if left out.`,
      }),
    ),
    q: optional(
      privateText(0, limits.query, {
        description: `Every word must occur in title or body, in any case; at most ${limits.queryTerms} different words. A search that has looked at ${limits.searchDepth} posts ends its page there, full or not.`,
        examples: ["engine"],
      }),
    ),
    media: optional(oneOf(["video"], { description: "Only posts with a video." })),
    saved: optional(flag({ description: "Only what the caller saved.", "x-needs-caller": true })),
    followed: optional(flag({ description: "Only of those the caller follows.", "x-needs-caller": true })),
    author: optional(Author),
    platform: optional(Platform),
    sourceId: optional(
      Type.Integer({
        ...Id,
        "x-no-tool": true,
        description:
          "Only what was gathered from this source, such as one feed of an origin. Operators list the sources' ids.",
      }),
    ),
    provenance: optional(
      csvOf(provenances, {
        description: `Any of ${provenances.join(", ")}; comma-separated.`,
        examples: ["human"],
      }),
    ),
    ...communityParameters,
    fields: fieldsOf(Post),
  },
  answer: { posts: Type.Array(Post), nextCursor: NextCursor },
  tool: "own",
  description: `The feed, narrowed by any of its parameters. Platforms: ${platformNames.join(", ")}.`,
});

export const createPost = operation({
  name: "createPost",
  area,
  route: "POST /api/posts",
  access: write,
  quota: "posts",
  body: postFields,
  files: {
    image: picture({
      bytes: limits.imageBytes,
      description: "A picture; left out of account where there is a video.",
    }),
    video: video({ bytes: limits.videoBytes, description: "A video." }),
    thumbnail: picture({ bytes: limits.thumbnailBytes, description: "The video's poster." }),
  },
  answer: { post: Post, ...whenPending },
  errors: ["not_found", "file_too_large"],
  tool: "own",
  description: "Publish a post. A `url` makes it a link post, unless a picture or video comes with it.",
});

export const readPost = operation({
  name: "readPost",
  area,
  route: "GET /api/posts/{id}",
  access: anyone,
  params: byId,
  answer: { post: Post },
  errors: ["not_found"],
  tool: "own",
  description: "One post.",
});

export const listStory = operation({
  name: "listStory",
  area,
  route: "GET /api/posts/{id}/story",
  access: anyone,
  params: byId,
  query: { fields: fieldsOf(Post) },
  answer: { posts: Type.Array(Post) },
  errors: ["not_found"],
  description: `The posts that were gathered of the same link as this one, itself among them; the first that came first, at most ${limits.page.max}.`,
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
  },
  answer: { post: Post, ...whenPending },
  errors: ["not_found", "forbidden"],
  tool: "own",
  description:
    "Edit a post of one's own. Null clears body, url or alt. An edit by a key stamps the post as AI content.",
});

export const deletePost = operation({
  name: "deletePost",
  area,
  route: "DELETE /api/posts/{id}",
  access: write,
  params: byId,
  answer: { deleted: Type.Literal(true) },
  errors: ["not_found", "forbidden"],
  tool: "own",
  description: "Delete a post of one's own, with its comments, likes and all that hangs on it.",
});

export const attachProduct = operation({
  name: "attachProduct",
  area,
  route: "POST /api/posts/{id}/products",
  access: scope("products:write"),
  params: byId,
  body: { productId: Id },
  answer: { post: Post },
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Attach a product of one's own to a post of one's own; at most ${limits.productsPerPost} a post, and a product to at most ${limits.postsPerProduct} posts. This is an edit: by a key it stamps the post as AI content.`,
});
