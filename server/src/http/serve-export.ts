import { operations } from "@tandem/contract/operations";
import type { FastifyInstance } from "fastify";
import type { Db } from "../storage/storage.ts";
import { judgeAccess } from "./access.ts";
import { judgeCredential } from "./credential.ts";
import type { House } from "./house.ts";
import { notFound } from "./problem.ts";
import { ownScheme } from "./route.ts";

/** Looks for the file that holds an account's data, by the account; null where there is none. */
type Find = (db: Db, userId: number, now: number) => Promise<string | null>;

/** Serves whoever may ask for an export their own, and nobody anybody else's: its address says nothing of whose it is. */
export function serveExport(server: FastifyInstance, house: House, path: string, find: Find): void {
  server.get(path, async (request, reply) => {
    const { authorization, cookie } = request.headers;
    const { caller } = await judgeCredential(house, { authorization: ownScheme(authorization), cookie });
    request.op = operations.readExport;
    request.caller = caller;
    judgeAccess(operations.readExport, caller);
    const name = caller && (await find(house.storage.read, caller.userId, house.now()));
    const file = name ? await house.media.store.open(name) : null;
    if (!file || !caller) throw notFound("export");
    reply.headers({
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="tandem-${caller.username}.zip"`,
      "content-length": file.bytes,
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    });
    return reply.send(await file.stream());
  });
}
