import { documents } from "@tandem/contract/documents";
import type { FastifyInstance, FastifyReply } from "fastify";
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
  reply.header("link", withDocuments(link));
}

const withDocuments = (link: string): string => `${link}, ${documentLinks}`;

/** The `Link` header of a page that another follows, whose cursor this is. */
export function nextLink({ baseUrl }: Services, url: string, cursor: number): string {
  return withDocuments(`<${baseUrl}${nextAddress(url, baseUrl, cursor)}>; rel="next"`);
}

/** An address that needs no parsing: its cursor is simply appended. */
const PLAIN = /^\/[\w/-]+\?(?!(?:.*&)?cursor=)\w+=[\w-]*(?:&\w+=[\w-]*)*$/;

function nextAddress(url: string, baseUrl: string, cursor: number): string {
  if (PLAIN.test(url)) return `${url}&cursor=${cursor}`;
  // Use only path and query: the request line may name any host.
  const { pathname, searchParams } = new URL(url, baseUrl);
  searchParams.set("cursor", String(cursor));
  return `${pathname}?${searchParams}`;
}
