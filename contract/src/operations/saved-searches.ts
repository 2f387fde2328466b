import Type from "typebox";
import { byId, fieldsOf, PrivateName } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, scope } from "../operation.ts";
import { SavedSearch, searchFilters } from "../saved-searches.ts";
import { optional } from "../schema.ts";

const area = "Saved searches";
const access = scope("engagement:write");
const Name = { ...PrivateName, examples: ["Engines on video"] };

export const listSavedSearches = operation({
  name: "listSavedSearches",
  area,
  route: "GET /api/searches",
  access,
  query: { fields: fieldsOf(SavedSearch) },
  response: { searches: Type.Array(SavedSearch) },
  description: "Your saved searches, by name.",
});

export const readSavedSearch = operation({
  name: "readSavedSearch",
  area,
  route: "GET /api/searches/{id}",
  access,
  params: byId,
  response: {
    search: SavedSearch,
    hasNew: Type.Boolean({
      description: "Whether posts match it that came after you last marked it as seen.",
      examples: [true],
    }),
  },
  errors: ["not_found"],
  description: `Get one of your saved searches, and whether it has new matches. It examines the newest ${limits.newMatchesDepth} posts.`,
});

export const createSavedSearch = operation({
  name: "createSavedSearch",
  area,
  route: "POST /api/searches",
  access,
  body: { name: Name, ...searchFilters },
  response: { search: SavedSearch },
  description: `Save a search: a name, and filters of \`GET /api/posts\`. At most ${limits.searchesPerAccount} per account. Only you see your searches. Its present matches count as seen.`,
});

export const editSavedSearch = operation({
  name: "editSavedSearch",
  area,
  route: "PATCH /api/searches/{id}",
  access,
  params: byId,
  body: {
    name: optional(Name),
    seen: optional(
      Type.Boolean({ description: "Whether to mark its present matches as seen.", examples: [true] }),
    ),
  },
  response: { search: SavedSearch },
  errors: ["not_found"],
  effect: "sets",
  description: "Rename a saved search, or mark its matches as seen.",
});

export const deleteSavedSearch = operation({
  name: "deleteSavedSearch",
  area,
  route: "DELETE /api/searches/{id}",
  access,
  params: byId,
  response: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  description: "Delete a saved search.",
});
