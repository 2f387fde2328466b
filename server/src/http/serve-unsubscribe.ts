import type { FastifyInstance } from "fastify";
import { notFound } from "./api-error.ts";

const PATH = "/unsubscribe/";
const TOKEN = /^[\w-]{1,200}$/;

/** The address in a mail's `List-Unsubscribe` header. */
export function unsubscribePath(token: string): string {
  return PATH + token;
}

/**
 * What mail programs call when someone presses their "unsubscribe" button (RFC 8058). Those that open the address instead get the
 * page with the same choice. `end` returns whether the token is known.
 */
export function serveUnsubscribe(server: FastifyInstance, end: (token: string) => Promise<boolean>): void {
  const url = unsubscribePath(":token");
  server.get<{ Params: { token: string } }>(url, async ({ params }, reply) =>
    reply
      .header("cache-control", "no-store")
      .redirect(`/account/digest#token=${encodeURIComponent(params.token)}`, 302),
  );
  server.post<{ Params: { token: string } }>(url, async ({ params }, reply) => {
    if (!TOKEN.test(params.token) || !(await end(params.token))) throw notFound("digest");
    return reply.code(200).type("text/plain; charset=utf-8").send("You won't get this digest any more.\n");
  });
}
