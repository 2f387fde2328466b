import { JWKS_PATH, LOG_PATH } from "@tandem/contract/log/entry";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFound } from "./api-error.ts";
import { Content } from "./content.ts";
import { sendTagged } from "./etag.ts";
import type { Services } from "./services.ts";

interface PublicLog {
  checkpoint(services: Services): Promise<string>;
  keys(services: Services): Promise<object>;
  /** `log` is the path of the log. Null if that isn't the current log's path. */
  tile(services: Services, log: string, path: string): Promise<Uint8Array | null>;
}

/** Serves the transparency log as c2sp.org/tlog-tiles defines it, and the keys that sign it. */
export function serveLog(server: FastifyInstance, services: Services, log: PublicLog): void {
  server.get(JWKS_PATH, async (request, reply) => {
    const keys = await log.keys(services);
    typed(reply, "application/jwk-set+json").header("cache-control", "no-cache");
    return sendTagged(request, reply, contentOf(JSON.stringify(keys)));
  });
  // A restarted log has a number in its path. Clients that don't know it find its checkpoint by the first path.
  for (const path of [LOG_PATH, `${LOG_PATH}/:number(^[1-9]\\d{0,5}$)`]) {
    server.get(`${path}/checkpoint`, async (request, reply) => {
      const note = await log.checkpoint(services);
      typed(reply, "text/plain; charset=utf-8").header("cache-control", "no-cache");
      return sendTagged(request, reply, contentOf(note));
    });
    server.get<{ Params: { "*": string; number?: string } }>(`${path}/tile/*`, async ({ params }, reply) => {
      const { number, "*": rest } = params;
      const bytes = await log.tile(services, number ? `${LOG_PATH}/${number}` : LOG_PATH, `tile/${rest}`);
      if (!bytes) throw notFound("tile");
      // What is in the tree never changes, and a tile of this width has the same hashes in each later tree.
      typed(reply, "application/octet-stream").header("cache-control", "public, max-age=31536000, immutable");
      return reply.send(Buffer.from(bytes));
    });
  }
}

function contentOf(text: string): Content {
  return new Content([Buffer.from(text)], "fast");
}

function typed(reply: FastifyReply, type: string): FastifyReply {
  return reply.headers({
    "content-type": type,
    "x-content-type-options": "nosniff",
  });
}
