import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { handleStreamEvent } from "../features/live/on-air.ts";
import { ApiError } from "../http/api-error.ts";
import { parseQuery } from "../http/input-validator.ts";
import type { Services } from "../http/services.ts";
import { readSign } from "./parse.ts";

const LIVE_HOOKS_PATH = "/hooks/live";

/** The maximum size of a hook, in bytes. */
const MOST = 16_384;

/**
 * Receives a streaming server's hooks about streams that start, run and end. It is internal, so the API's documents don't
 * mention it, and it exists only if a streaming server is configured.
 */
export function mountLiveHooks(server: FastifyInstance, services: Services): void {
  const { streaming } = services.config;
  if (!streaming) return;
  server.post(LIVE_HOOKS_PATH, {
    bodyLimit: MOST,
    // Checked before the body is read.
    onRequest: async ({ raw }) => {
      const { secret = "" } = parseQuery(/\?(.*)$/s.exec(raw.url ?? "")?.[1] ?? "");
      if (!isSame(secret, streaming.hookSecret))
        throw new ApiError(
          "forbidden",
          "Only the streaming server can call this. The secret is missing or wrong.",
        );
    },
    handler: async ({ headers, body }) => {
      const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
      await handleStreamEvent(services, readSign(headers["content-type"] ?? "", bytes));
      // SRS expects this body; the others only check the status.
      return { code: 0 };
    },
  });
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
