import { documents } from "@tandem/contract/documents";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "./services.ts";

/** `Link` header with the service's documents (RFC 8288, RFC 8631). */
export const documentLinks = [
  `<${documents.summary}>; rel="describedby"; type="text/plain"`,
  `<${documents.openApi}>; rel="service-desc"; type="application/json"`,
  `<${documents.reference}>; rel="service-doc"; type="text/markdown"`,
].join(", ");

/** Adds the header to every response, including errors. Register it before any hook that rejects requests. */
export function linkDocuments(server: FastifyInstance): void {
  server.addHook("onRequest", (_request, reply, done) => {
    reply.header("link", documentLinks);
    done();
  });
}

/** Adds links specific to this response. */
export function alsoLink(reply: FastifyReply, link: string): void {
  reply.header("link", `${link}, ${documentLinks}`);
}

/** Links to the next page, if there is one, and returns its cursor. */
export function linkNext(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  cursor: number | null,
): number | null {
  if (cursor === null) return null;
  // Use only path and query: the request line may name any host.
  const { pathname, searchParams } = new URL(request.url, services.baseUrl);
  searchParams.set("cursor", String(cursor));
  alsoLink(reply, `<${services.baseUrl}${pathname}?${searchParams}>; rel="next"`);
  return cursor;
}
