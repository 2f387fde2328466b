import { SOURCES_OPML_PATH } from "@tandem/contract/documents";
import { fileTypes } from "@tandem/contract/files";
import { operations } from "@tandem/contract/operations";
import type { FastifyInstance } from "fastify";
import type { Db } from "../storage/storage.ts";
import { admit } from "./admit.ts";
import type { Services } from "./services.ts";

/** Serves the sources as a file to those who may list them. */
export function serveOpml(
  server: FastifyInstance,
  services: Services,
  opmlOf: (db: Db) => Promise<string>,
): void {
  server.get(SOURCES_OPML_PATH, { config: { cost: "dear" } }, async (request, reply) => {
    await admit(services, request, operations.listSources);
    reply.headers({
      "content-type": `${fileTypes.opml.mime}; charset=utf-8`,
      "content-disposition": 'attachment; filename="tandem-sources.opml"',
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    });
    return reply.send(await opmlOf(services.storage.read));
  });
}
