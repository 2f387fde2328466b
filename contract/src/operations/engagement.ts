import Type from "typebox";
import { byId, liking } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, scope } from "../operation.ts";
import { PollResults } from "../post-resources.ts";
import { Count } from "../schema.ts";

const area = "Engagement";
const access = scope("engagement:write");
const errors = ["not_found"] as const;
const saving = (saved: boolean) => ({ saved: Type.Boolean({ examples: [saved] }) });

export const likePost = operation({
  name: "likePost",
  area,
  route: "POST /api/posts/{id}/like",
  access,
  params: byId,
  response: liking(true),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  exposure: "tool",
  description: "Like a post. Liking it again has no effect.",
});

export const unlikePost = operation({
  name: "unlikePost",
  area,
  route: "DELETE /api/posts/{id}/like",
  access,
  params: byId,
  response: liking(false),
  errors,
  effect: "sets",
  exposure: "tool",
  description: "Unlike a post.",
});

export const savePost = operation({
  name: "savePost",
  area,
  route: "POST /api/posts/{id}/save",
  access,
  params: byId,
  response: saving(true),
  errors,
  effect: "sets",
  exposure: "tool",
  description: "Save a post to your saved list.",
});

export const unsavePost = operation({
  name: "unsavePost",
  area,
  route: "DELETE /api/posts/{id}/save",
  access,
  params: byId,
  response: saving(false),
  errors,
  effect: "sets",
  description: "Remove a post from your saved list, and from all of your collections.",
});

const reposting = (reposted: boolean) => ({
  reposted: Type.Boolean({ examples: [reposted] }),
  repostCount: Count,
});

export const repostPost = operation({
  name: "repostPost",
  area,
  route: "POST /api/posts/{id}/repost",
  access,
  params: byId,
  response: reposting(true),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: "Show a post to your followers, in your name. Reposting it again has no effect.",
});

export const unrepostPost = operation({
  name: "unrepostPost",
  area,
  route: "DELETE /api/posts/{id}/repost",
  access,
  params: byId,
  response: reposting(false),
  errors,
  effect: "sets",
  whileSuspended: true,
  description: "Take back your repost of a post.",
});

const voting = { pollResults: PollResults };

export const vote = operation({
  name: "vote",
  area,
  route: "POST /api/posts/{id}/vote",
  access,
  params: byId,
  body: {
    choices: Type.Array(Type.Integer({ minimum: 0, maximum: limits.pollOptions.max - 1 }), {
      minItems: 1,
      maxItems: limits.pollOptions.max,
      uniqueItems: true,
      description: "The options that you choose: their positions in the poll's `options`, from 0.",
      examples: [[0]],
    }),
  },
  response: voting,
  errors: ["not_found", "forbidden", "poll_closed"],
  effect: "sets",
  exposure: "tool",
  description:
    "Vote in a post's poll. Voting again replaces your vote, until the poll closes. Votes are secret; those of keys and agents are counted apart.",
});

export const unvote = operation({
  name: "unvote",
  area,
  route: "DELETE /api/posts/{id}/vote",
  access,
  params: byId,
  response: voting,
  errors: ["not_found", "poll_closed"],
  effect: "sets",
  description: "Take back your vote in a post's poll, until that closes.",
});

export const viewPost = operation({
  name: "viewPost",
  area,
  route: "POST /api/posts/{id}/view",
  access,
  params: byId,
  response: { viewCount: Count },
  errors,
  description: "Count one view of a post.",
});

export const dismissPost = operation({
  name: "dismissPost",
  area,
  route: "POST /api/posts/{id}/dismiss",
  access,
  params: byId,
  response: { dismissed: Type.Literal(true) },
  errors,
  effect: "overwrites",
  description:
    "Hide a post from your feeds and searches (not interested). The post can still be read by its id. This can't be undone.",
});
