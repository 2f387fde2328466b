import { documents } from "@tandem/contract/documents";
import type { FastifyInstance, FastifyReply } from "fastify";

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
