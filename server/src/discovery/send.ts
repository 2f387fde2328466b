import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { sendTagged, tagOf } from "../http/etag.ts";
import type { Page } from "./prose.ts";
import { harmless, toHtml } from "./prose-html.ts";
import { toMarkdown } from "./prose-markdown.ts";

export const MARKDOWN = "text/markdown; charset=utf-8";
export const PLAIN = "text/plain; charset=utf-8";
export const HTML = "text/html; charset=utf-8";

/** A text that is the same for everyone, ready to be sent. */
export interface Ready {
  bytes: Buffer;
  tag: string;
  type: string;
}

export function ready(text: string, type: string): Ready {
  const bytes = Buffer.from(text);
  return { bytes, tag: tagOf(bytes), type };
}

/** For so many seconds it may be shown without asking; what documents say changes with the service's settings alone. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, tag, type }: Ready,
  seconds = 300,
) {
  reply.headers({
    "content-type": type,
    "cache-control": `public, max-age=${seconds}`,
    "x-content-type-options": "nosniff",
  });
  return sendTagged(request, reply, bytes, tag);
}

export type Form = "markdown" | "html";

/** What the client would rather have; `first` where it names neither. */
export function preferred(request: FastifyRequest, first: Form): Form {
  const types = { markdown: "text/markdown", html: "text/html" };
  const second: Form = first === "html" ? "markdown" : "html";
  const type = new Negotiator(request.raw).mediaType([types[first], types[second]]);
  return type === types[second] ? second : first;
}

/** A page in one of its forms. `markdownAddress` is where the other form always is. */
export function rendered(page: Page, form: Form, markdownAddress: string): Ready {
  return form === "html" ? ready(toHtml(page, markdownAddress), HTML) : ready(toMarkdown(page), MARKDOWN);
}

/** Two forms at one address: who keeps one must ask for the other. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Ready): FastifyReply {
  reply.headers({
    ...harmless,
    "content-type": page.type,
    "cache-control": "public, no-cache",
    vary: "Accept",
  });
  return sendTagged(request, reply, page.bytes, page.tag);
}
