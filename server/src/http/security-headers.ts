import type { FastifyInstance } from "fastify";
import type { Services } from "./services.ts";

/** A year, without subdomains: those may not be ours. */
const HSTS = "max-age=31536000";

/** Sets the headers of every response, JSON and errors included; a route may replace them. */
export function secureResponses(server: FastifyInstance, services: Services): void {
  server.addHook("onRequest", (request, reply, done) => {
    reply.headers(securityHeaders(services, request.url.startsWith("/api/")));
    done();
  });
}

/**
 * With an https `BASE_URL`, browsers use nothing but HTTPS from then on. Other sites can't embed a `sameOrigin` response, such as
 * the API's.
 */
export function securityHeaders(
  { baseUrl }: Pick<Services, "baseUrl">,
  sameOrigin: boolean,
): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    ...(sameOrigin && { "cross-origin-resource-policy": "same-origin" }),
    ...(baseUrl.startsWith("https:") && { "strict-transport-security": HSTS }),
  };
}
