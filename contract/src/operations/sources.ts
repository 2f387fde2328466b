import Type from "typebox";
import { SOURCES_OPML_PATH } from "../documents.ts";
import { byId, Cursor, fieldsOf, Link, NextCursor } from "../fields.ts";
import { opml, required } from "../files.ts";
import { limits } from "../limits.ts";
import { adminsOnly, operation } from "../operation.ts";
import { Count, oneOf, optional } from "../schema.ts";
import { SourceVisit } from "../source-visits.ts";
import { ImportResult, Source, sourceStates } from "../sources.ts";

const area = "Sources";
const sourceResponse = { source: Source };

export const listSources = operation({
  name: "listSources",
  area,
  route: "GET /api/admin/sources",
  access: adminsOnly,
  query: {
    cursor: optional(Cursor),
    state: optional(oneOf(sourceStates, { description: "Only sources in this state." })),
    fields: fieldsOf(Source),
  },
  response: { sources: Type.Array(Source), nextCursor: NextCursor },
  description: `List the sources that posts are imported from, latest added first, up to ${limits.longList} per page.`,
});

export const addSource = operation({
  name: "addSource",
  area,
  route: "POST /api/admin/sources",
  access: adminsOnly,
  body: { url: Link },
  response: sourceResponse,
  errors: ["invalid_source"],
  description:
    "Import posts from the feed, community, channel or author at this address. For a web page, the feed that it links to is used.",
});

export const readSource = operation({
  name: "readSource",
  area,
  route: "GET /api/admin/sources/{id}",
  access: adminsOnly,
  params: byId,
  response: { source: Source, visits: Type.Array(SourceVisit) },
  errors: ["not_found"],
  description: `Read a source with its last ${limits.visitsKept} visits, latest first: what each brought, and which items it left out and why.`,
});

export const importSources = operation({
  name: "importSources",
  area,
  route: "POST /api/admin/source-imports",
  access: adminsOnly,
  files: {
    file: required(
      opml({ bytes: limits.opmlBytes, description: "A list of feeds, as feed readers export it." }),
    ),
  },
  response: { added: Count, results: Type.Array(ImportResult) },
  errors: ["file_too_large"],
  effect: "sets",
  description: `Add the feeds of an OPML file as sources, up to ${limits.opmlSources}. No requests are sent before the response: what isn't recognized by its address alone counts as a feed, and its first visit shows whether it is one. Nothing happens to addresses that are sources already. Outlines without an \`xmlUrl\` aren't in the results, and repeated ones only once. \`GET ${SOURCES_OPML_PATH}\` exports all sources as such a file.`,
});

export const editSource = operation({
  name: "editSource",
  area,
  route: "PATCH /api/admin/sources/{id}",
  access: adminsOnly,
  params: byId,
  body: { enabled: Type.Boolean({ examples: [true] }) },
  response: sourceResponse,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Disable a source, which keeps its posts, or enable it, which also resumes a source that was set aside.",
});

export const removeSource = operation({
  name: "removeSource",
  area,
  route: "DELETE /api/admin/sources/{id}",
  access: adminsOnly,
  params: byId,
  response: sourceResponse,
  errors: ["not_found"],
  description: "Delete a source with all posts imported from it. This happens shortly after the response.",
});

export const pollSource = operation({
  name: "pollSource",
  area,
  route: "POST /api/admin/sources/{id}/poll",
  access: adminsOnly,
  params: byId,
  response: sourceResponse,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Poll a source for new posts shortly after the response instead of when it is due. This doesn't enable a source that is disabled or set aside.",
});
