import Type from "typebox";
import { byId, fieldsOf } from "../fields.ts";
import { archive, required } from "../files.ts";
import { Import, importParts, importPlatforms, MissingItem } from "../imports.ts";
import { limits } from "../limits.ts";
import { operation, peopleOnly } from "../operation.ts";
import { csvOf, oneOf, optional } from "../schema.ts";

const area = "Account";

export const startImport = operation({
  name: "startImport",
  area,
  route: "POST /api/users/me/imports",
  access: peopleOnly,
  files: {
    file: required(
      archive({
        bytes: limits.importBytes,
        description:
          "The export, as the platform gave it to you (a .zip, .tar.gz or .car file), or one file of it, such as `outbox.json` or `following_accounts.csv`.",
      }),
    ),
  },
  body: {
    platform: oneOf(importPlatforms, { description: "Where the export comes from.", examples: ["mastodon"] }),
    parts: optional(
      csvOf(importParts, {
        description: "What to import; by default, all that there is.",
        examples: ["posts,follows"],
      }),
    ),
  },
  response: { import: Import },
  errors: ["file_too_large", "import_running", "rate_limited"],
  description: `Import your posts, follows, lists, mutes, blocks and bookmarks from the export of another platform. It runs in the background: \`GET /api/users/me/imports\` shows how far it is. Only public posts are imported, without replies and reposts, at most the latest ${limits.importPosts}. They become your posts, dated as they were there, with the provenance basis \`assumed\`, or \`declared\` if a picture says that it is AI's; they appear on your page and in searches of your posts, but not in anyone's feed, and no one is notified. Follows, followed communities, lists, mutes and bookmarks are imported if what they are of is here; blocks become mutes, because you can only block accounts of this service. Importing the same again adds nothing twice, and \`DELETE /api/users/me/imports/{id}\` takes an import back.`,
});

export const listImports = operation({
  name: "listImports",
  area,
  route: "GET /api/users/me/imports",
  access: peopleOnly,
  query: { fields: fieldsOf(Import) },
  response: { imports: Type.Array(Import) },
  description: `Your latest imports, newest first; at most ${limits.importsKept}.`,
});

export const undoImport = operation({
  name: "undoImport",
  area,
  route: "DELETE /api/users/me/imports/{id}",
  access: peopleOnly,
  params: byId,
  response: { import: Import },
  errors: ["not_found"],
  whileSuspended: true,
  description:
    "Take back what an import added, and forget it; one that still runs ends. It runs in the background, with the state `undoing`. Then the import is no longer listed, unless something stays: it is `undone` then, `counts` says what was `kept`, and the same call takes it off the list. It deletes the posts that the import added, except those that you edited or pinned, or that anyone commented on, quoted or reposted; the bookmarks that it added, except those in your collections; the mutes that it added, unless you gave them an end; and the follows, followed communities and lists' members that it added. Lists that it created are deleted if no one is left on them. What was there before the import, or is no longer as the import left it, stays. This can't be undone.",
});

export const listMissing = operation({
  name: "listMissing",
  area,
  route: "GET /api/users/me/imports/{id}/missing",
  access: peopleOnly,
  params: byId,
  query: { fields: fieldsOf(MissingItem) },
  response: { missing: Type.Array(MissingItem) },
  errors: ["not_found"],
  description: `The accounts, communities and posts that an import looked for and that aren't here; at most ${limits.importMissing}.`,
});
