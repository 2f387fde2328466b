import Type from "typebox";
import { Author, byId, creatorInput, fieldsOf, Platform, PrivateName } from "../fields.ts";
import { limits } from "../limits.ts";
import { List, ListMember } from "../lists.ts";
import { operation, scope } from "../operation.ts";
import { optional } from "../schema.ts";

const area = "Lists";
const access = scope("engagement:write");
const Name = { ...PrivateName, examples: ["Weavers"] };

export const listLists = operation({
  name: "listLists",
  area,
  route: "GET /api/lists",
  access,
  query: {
    author: optional({
      ...Author,
      description: "A creator's name on its platform: `includes` tells which lists have them.",
    }),
    platform: optional({ ...Platform, description: "The creator's platform; `native` by default." }),
    fields: fieldsOf(List),
  },
  response: { lists: Type.Array(List) },
  description:
    "Your lists of creators, by name. `GET /api/posts?listId=` returns the posts by those on a list.",
});

export const readList = operation({
  name: "readList",
  area,
  route: "GET /api/lists/{id}",
  access,
  params: byId,
  query: { fields: fieldsOf(ListMember) },
  response: { list: List, members: Type.Array(ListMember) },
  errors: ["not_found"],
  description: "Get one of your lists with its creators.",
});

export const createList = operation({
  name: "createList",
  area,
  route: "POST /api/lists",
  access,
  body: { name: Name },
  response: { list: List },
  description: `Create a list; at most ${limits.listsPerAccount} per account. Only you see your lists, and no one learns that they are on one.`,
});

export const renameList = operation({
  name: "renameList",
  area,
  route: "PATCH /api/lists/{id}",
  access,
  params: byId,
  body: { name: Name },
  response: { list: List },
  errors: ["not_found"],
  description: "Rename a list.",
});

export const deleteList = operation({
  name: "deleteList",
  area,
  route: "DELETE /api/lists/{id}",
  access,
  params: byId,
  response: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  description: "Delete a list. Your follows stay as they are.",
});

export const addToList = operation({
  name: "addToList",
  area,
  route: "POST /api/lists/{id}/members",
  access,
  params: byId,
  body: creatorInput,
  response: { included: Type.Literal(true) },
  errors: ["not_found"],
  effect: "sets",
  description: `Put a creator on a list, from any platform, whether you follow them or not; at most ${limits.listMembers} per list.`,
});

export const removeFromList = operation({
  name: "removeFromList",
  area,
  route: "DELETE /api/lists/{id}/members",
  access,
  params: byId,
  body: creatorInput,
  response: { included: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  description: "Take a creator off a list.",
});
