import Type from "typebox";
import { byId, Cursor, fieldsOf, Link, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { adminsOnly, operation } from "../operation.ts";
import { oneOf, optional } from "../schema.ts";
import { Source, sourceStates } from "../sources.ts";

const area = "Sources";
const one = { source: Source };

export const listSources = operation({
  name: "listSources",
  area,
  route: "GET /api/admin/sources",
  access: adminsOnly,
  query: {
    cursor: optional(Cursor),
    state: optional(oneOf(sourceStates, { description: "Only those in this state." })),
    fields: fieldsOf(Source),
  },
  answer: { sources: Type.Array(Source), nextCursor: NextCursor },
  description: `Where posts are gathered, the latest added first; past ${limits.longList} a cursor leads on.`,
});

export const addSource = operation({
  name: "addSource",
  area,
  route: "POST /api/admin/sources",
  access: adminsOnly,
  body: { url: Link },
  answer: one,
  errors: ["invalid_source"],
  description:
    "Gather posts from a feed, a community, a channel or an author, whose address this is. Of a web page, the feed that it names is taken.",
});

export const editSource = operation({
  name: "editSource",
  area,
  route: "PATCH /api/admin/sources/{id}",
  access: adminsOnly,
  params: byId,
  body: { enabled: Type.Boolean({ examples: [true] }) },
  answer: one,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Let a source rest, its posts staying; or have it asked again, which also ends that it was set aside.",
});

export const removeSource = operation({
  name: "removeSource",
  area,
  route: "DELETE /api/admin/sources/{id}",
  access: adminsOnly,
  params: byId,
  answer: one,
  errors: ["not_found"],
  description: "Remove a source with all posts that were gathered from it, soon after the answer.",
});

export const pollSource = operation({
  name: "pollSource",
  area,
  route: "POST /api/admin/sources/{id}/poll",
  access: adminsOnly,
  params: byId,
  answer: one,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Look now for what is new at a source, rather than when it is due; soon after the answer. One that rests or is set aside stays so: enable it.",
});
