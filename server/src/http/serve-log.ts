import { JWKS_PATH, LOG_PATH } from "@tandem/contract/log/entry";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFound } from "./api-error.ts";
import { sendTagged } from "./etag.ts";
import type { Services } from "./services.ts";

interface PublicLog {
  checkpoint(services: Services): Promise<string>;
  keys(services: Services): Promise<object>;
  tile(services: Services, path: string): Promise<Uint8Array | null>;
}

/** Serves the transparency log as c2sp.org/tlog-tiles defines it, and the keys that sign it. */
export function serveLog(server: FastifyInstance, services: Services, log: PublicLog): void {
  server.get(`${LOG_PATH}/checkpoint`, async (request, reply) => {
    const note = await log.checkpoint(services);
    open(reply, "text/plain; charset=utf-8").header("cache-control", "no-cache");
    return sendTagged(request, reply, Buffer.from(note));
  });
  server.get(JWKS_PATH, async (request, reply) => {
    const keys = await log.keys(services);
    open(reply, "application/jwk-set+json").header("cache-control", "no-cache");
    return sendTagged(request, reply, Buffer.from(JSON.stringify(keys)));
  });
  server.get<{ Params: { "*": string } }>(`${LOG_PATH}/tile/*`, async ({ params }, reply) => {
    const bytes = await log.tile(services, `tile/${params["*"]}`);
    if (!bytes) throw notFound("tile");
    // What is in the tree never changes, and a tile of this width has the same hashes in each later tree.
    open(reply, "application/octet-stream").header("cache-control", "public, max-age=31536000, immutable");
    return reply.send(Buffer.from(bytes));
  });
}

/** Pages of other sites may read it: all of it is public, and auditors may be anywhere. */
function open(reply: FastifyReply, type: string): FastifyReply {
  return reply.headers({
    "content-type": type,
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
}
