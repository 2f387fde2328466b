import type { FastifyInstance } from "fastify";
import { notFound } from "./api-error.ts";

const PATH = "/websub/";
/** Bytes of an announcement. Hubs send whole feeds. */
const MAX_BYTES = 4 * 2 ** 20;

/** Where a hub calls back. Only the hub knows the end of the path. */
export function webSubPath(callback: string): string {
  return PATH + callback;
}

/** What a hub sends to verify a request, or to deny it. */
export interface Verification {
  mode: string | undefined;
  topic: string | undefined;
  challenge: string | undefined;
  leaseSeconds: string | undefined;
}

/** A hub's message that a feed has changed. */
export interface Announcement {
  /** The header `X-Hub-Signature`. */
  signature: string;
  body: Buffer;
}

interface Subscriber {
  /** What to answer; null if this service didn't ask for it. */
  verify(callback: string, sent: Verification): Promise<string | null>;
  isCallback(callback: string): Promise<boolean>;
  receive(callback: string, sent: Announcement): Promise<void>;
}

/** The callbacks of WebSub, for hubs. They are internal, so the API's documents don't mention them. */
export function serveWebSub(server: FastifyInstance, { verify, isCallback, receive }: Subscriber): void {
  const url = webSubPath(":callback");
  server.get<{ Params: { callback: string }; Querystring: Record<string, unknown> }>(
    url,
    async ({ params, query }, reply) => {
      const text = (name: string) => {
        const value = query[name];
        return typeof value === "string" ? value : undefined;
      };
      const answer = await verify(params.callback, {
        mode: text("hub.mode"),
        topic: text("hub.topic"),
        challenge: text("hub.challenge"),
        leaseSeconds: text("hub.lease_seconds"),
      });
      if (answer === null) throw notFound("subscription");
      return reply
        .headers({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
        .send(answer);
    },
  );
  server.post<{ Params: { callback: string } }>(url, {
    bodyLimit: MAX_BYTES,
    // Before the body is read. After a 404, hubs end the subscription sooner or later.
    onRequest: async ({ params }) => {
      if (!(await isCallback(params.callback))) throw notFound("subscription");
    },
    handler: async ({ params, headers, body }, reply) => {
      const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
      await receive(params.callback, { signature: String(headers["x-hub-signature"] ?? ""), body: bytes });
      return reply.code(202).send();
    },
  });
}
