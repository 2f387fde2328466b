import { documents } from "@tandem/contract/documents";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Where whoever got an answer reads on about the service (RFC 8288, RFC 8631): the same for every answer. */
export const documentLinks = [
  `<${documents.summary}>; rel="describedby"; type="text/plain"`,
  `<${documents.openApi}>; rel="service-desc"; type="application/json"`,
  `<${documents.reference}>; rel="service-doc"; type="text/markdown"`,
].join(", ");

/** Every answer, refusals too, says where the documents are. Call it before the first hook that refuses. */
export function linkDocuments(server: FastifyInstance): void {
  server.addHook("onRequest", (_request, reply, done) => {
    reply.header("link", documentLinks);
    done();
  });
}

/** Says besides what is special to this answer. */
export function alsoLink(reply: FastifyReply, link: string): void {
  reply.header("link", `${link}, ${documentLinks}`);
}
