import { operations } from "@tandem/contract/operations";
import type { FastifyInstance } from "fastify";
import type { Db } from "../storage/storage.ts";
import { admit } from "./admit.ts";
import { notFound } from "./api-error.ts";
import type { Services } from "./services.ts";

/** Finds an account's export file, or null. */
type Find = (db: Db, userId: number, now: number) => Promise<string | null>;

/** Serves the caller's own export. The URL doesn't name an account. */
export function serveExport(server: FastifyInstance, services: Services, path: string, find: Find): void {
  server.get(path, { config: { cost: "dear" } }, async (request, reply) => {
    const caller = await admit(services, request, operations.readExport);
    const name = caller && (await find(services.storage.read, caller.userId, services.now()));
    const file = name ? await services.media.store.open(name) : null;
    if (!file || !caller) throw notFound("export");
    try {
      reply.headers({
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="tandem-${caller.username}.zip"`,
        "content-length": file.bytes,
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      });
      // Nothing is read only to be left out.
      return reply.send(request.method === "HEAD" ? Buffer.alloc(0) : await file.stream());
    } finally {
      await file[Symbol.asyncDispose]();
    }
  });
}
