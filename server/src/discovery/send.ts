import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { Content } from "../http/content.ts";
import { sendTagged, varyBy } from "../http/etag.ts";
import type { Page } from "./prose.ts";
import { pageSecurityHeaders, toHtml } from "./prose-html.ts";
import { toMarkdown } from "./prose-markdown.ts";

export const MARKDOWN = "text/markdown; charset=utf-8";
export const PLAIN = "text/plain; charset=utf-8";
export const HTML = "text/html; charset=utf-8";

/** A public response, ready to be sent. */
export interface Ready {
  content: Content;
  type: string;
}

export function ready(text: string, type: string): Ready {
  return { content: new Content([Buffer.from(text)], "thorough"), type };
}

/** Sends it as cacheable for `seconds`. Documents change only with the service's settings. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, type }: Ready,
  seconds = 300,
) {
  reply.headers({
    "content-type": type,
    "cache-control": `public, max-age=${seconds}`,
    "x-content-type-options": "nosniff",
  });
  return sendTagged(request, reply, content);
}

export type Form = "markdown" | "html";

/** The form that the client prefers; `first` if it has no preference. */
export function preferred(request: FastifyRequest, first: Form): Form {
  const types = { markdown: "text/markdown", html: "text/html" };
  const second: Form = first === "html" ? "markdown" : "html";
  const type = new Negotiator(request.raw).mediaType([types[first], types[second]]);
  return type === types[second] ? second : first;
}

/** A page in one of its forms. `markdownAddress` is the URL that always returns Markdown. */
export function rendered(page: Page, form: Form, markdownAddress: string): Ready {
  return form === "html" ? ready(toHtml(page, markdownAddress), HTML) : ready(toMarkdown(page), MARKDOWN);
}

/** Sends one of two forms at the same URL, so caches must vary by `Accept`. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Ready): FastifyReply {
  reply.headers({
    ...pageSecurityHeaders,
    "content-type": page.type,
    "cache-control": "public, no-cache",
  });
  varyBy(reply, "Accept");
  return sendTagged(request, reply, page.content);
}
