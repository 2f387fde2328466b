import Type from "typebox";
import { byId, liking } from "../fields.ts";
import { operation, scope } from "../operation.ts";
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
  answer: liking(true),
  errors,
  effect: "sets",
  tool: "own",
  description: "Like a post. Liking it again changes nothing.",
});

export const unlikePost = operation({
  name: "unlikePost",
  area,
  route: "DELETE /api/posts/{id}/like",
  access,
  params: byId,
  answer: liking(false),
  errors,
  effect: "sets",
  tool: "own",
  description: "Take back a like.",
});

export const savePost = operation({
  name: "savePost",
  area,
  route: "POST /api/posts/{id}/save",
  access,
  params: byId,
  answer: saving(true),
  errors,
  effect: "sets",
  tool: "own",
  description: "Keep a post in the caller's saved list.",
});

export const unsavePost = operation({
  name: "unsavePost",
  area,
  route: "DELETE /api/posts/{id}/save",
  access,
  params: byId,
  answer: saving(false),
  errors,
  effect: "sets",
  description: "Take a post off the saved list.",
});

export const viewPost = operation({
  name: "viewPost",
  area,
  route: "POST /api/posts/{id}/view",
  access,
  params: byId,
  answer: { viewCount: Count },
  errors,
  description: "Count one view.",
});

export const dismissPost = operation({
  name: "dismissPost",
  area,
  route: "POST /api/posts/{id}/dismiss",
  access,
  params: byId,
  answer: { dismissed: Type.Literal(true) },
  errors,
  effect: "overwrites",
  description:
    "Not interested: the post leaves the caller's feeds and searches. Its own page stays. This can't be undone.",
});
