import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { handleStreamEvent } from "../features/live/on-air.ts";
import { ApiError } from "../http/api-error.ts";
import { parseQuery } from "../http/input-validator.ts";
import type { Services } from "../http/services.ts";
import { readSign } from "./parse.ts";

const LIVE_HOOKS_PATH = "/hooks/live";

/** What a streaming server says of a stream fits in this, in bytes. */
const MOST = 16_384;

/**
 * Where a streaming server says what begins, runs and ends. That is between the two, so no document of the API tells of it,
 * and where there is no such server there is nothing here.
 */
export function mountLiveHooks(server: FastifyInstance, services: Services): void {
  const { streaming } = services.config;
  if (!streaming) return;
  server.post(LIVE_HOOKS_PATH, {
    bodyLimit: MOST,
    // Before the body is read.
    onRequest: async ({ raw }) => {
      const { secret = "" } = parseQuery(/\?(.*)$/s.exec(raw.url ?? "")?.[1] ?? "");
      if (!isSame(secret, streaming.hookSecret))
        throw new ApiError("forbidden", "This is for the streaming server alone, which knows the secret.");
    },
    handler: async ({ headers, body }) => {
      const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
      await handleStreamEvent(services, readSign(headers["content-type"] ?? "", bytes));
      // What one of these servers takes for yes; to the others the status is.
      return { code: 0 };
    },
  });
}

/** In a time that doesn't tell how much of it fits. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
