import type { FastifyInstance } from "fastify";
import type { Services } from "./services.ts";

/** A year, without subdomains: those may not be ours. */
const HSTS = "max-age=31536000";

/**
 * Headers of every response, JSON and errors included; a route may replace them. Other sites can't embed what the API returns.
 * With an https `BASE_URL`, browsers use nothing but HTTPS from then on.
 */
export function secureResponses(server: FastifyInstance, services: Services): void {
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-content-type-options", "nosniff");
    if (request.url.startsWith("/api/")) reply.header("cross-origin-resource-policy", "same-origin");
    if (services.baseUrl.startsWith("https:")) reply.header("strict-transport-security", HSTS);
    done();
  });
}
