import Type from "typebox";
import { Collection } from "../collections.ts";
import { byId, fieldsOf, PrivateName } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, scope } from "../operation.ts";
import { Id, optional } from "../schema.ts";

const area = "Collections";
const access = scope("engagement:write");
const Name = { ...PrivateName, examples: ["To weave"] };
const post = { postId: Id };

export const listCollections = operation({
  name: "listCollections",
  area,
  route: "GET /api/collections",
  access,
  query: {
    postId: optional(
      Type.Integer({ ...Id, description: "A post: `includes` tells which collections have it." }),
    ),
    fields: fieldsOf(Collection),
  },
  response: { collections: Type.Array(Collection) },
  description:
    "Your collections of saved posts, by name. `GET /api/posts?collectionId=` returns the posts in one.",
});

export const readCollection = operation({
  name: "readCollection",
  area,
  route: "GET /api/collections/{id}",
  access,
  params: byId,
  response: { collection: Collection },
  errors: ["not_found"],
  description: "Get one of your collections, without its posts.",
});

export const createCollection = operation({
  name: "createCollection",
  area,
  route: "POST /api/collections",
  access,
  body: { name: Name },
  response: { collection: Collection },
  description: `Create a collection; at most ${limits.collectionsPerAccount} per account. Only you see your collections.`,
});

export const renameCollection = operation({
  name: "renameCollection",
  area,
  route: "PATCH /api/collections/{id}",
  access,
  params: byId,
  body: { name: Name },
  response: { collection: Collection },
  errors: ["not_found"],
  description: "Rename a collection.",
});

export const deleteCollection = operation({
  name: "deleteCollection",
  area,
  route: "DELETE /api/collections/{id}",
  access,
  params: byId,
  response: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  description: "Delete a collection. Its posts stay saved.",
});

export const addToCollection = operation({
  name: "addToCollection",
  area,
  route: "POST /api/collections/{id}/posts",
  access,
  params: byId,
  body: post,
  response: { included: Type.Literal(true) },
  errors: ["not_found"],
  effect: "sets",
  description: `Put a post in a collection, which also saves it; at most ${limits.collectionPosts} per collection.`,
});

export const removeFromCollection = operation({
  name: "removeFromCollection",
  area,
  route: "DELETE /api/collections/{id}/posts",
  access,
  params: byId,
  body: post,
  response: { included: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  description: "Take a post out of a collection. It stays saved.",
});
