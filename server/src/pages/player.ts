import { createHash } from "node:crypto";
import type { Post } from "@tandem/contract/post-resources";
import { remotePicture } from "@tandem/contract/remote-pictures";
import { escapeHtml } from "@tandem/web/shared/html";
import type { FastifyInstance } from "fastify";
import { HTML } from "../discovery/send.ts";
import { notFound } from "../http/api-error.ts";
import { isDenied } from "../http/denied-links.ts";
import type { Services } from "../http/services.ts";
import type { AnonymousClient } from "./anonymous-client.ts";

const style =
  "html,body{margin:0;height:100%;background:#000}video,img{display:block;width:100%;height:100%;object-fit:contain}";
const styleHash = createHash("sha256").update(style).digest("base64");

/**
 * Serves documents with nothing but the video or animated image of another host, for frames in the app's pages. Each allows
 * requests to that host alone, and only once the reader plays it: the app loads the frame then.
 */
export function mountPlayer(server: FastifyInstance, { storage }: Services, call: AnonymousClient): void {
  server.get<{ Params: { id: string } }>("/posts/:id/player", async ({ params }, reply) => {
    const { post } = await call("readPost", { params });
    const source = sourceOf(post);
    if (source === null || (await isDenied(storage.read, source.href))) throw notFound("video");
    reply.headers({
      "content-type": HTML,
      "content-security-policy": policyFor(source),
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
    return reply.send(documentOf(post, source));
  });
}

/** Null for posts without media of another host. */
function sourceOf({ mediaType, mediaUrl }: Post): URL | null {
  const isMoving = mediaType === "video" || mediaType === "gif";
  if (!isMoving || mediaUrl === null || !/^https?:/.test(mediaUrl) || !URL.canParse(mediaUrl)) return null;
  return new URL(mediaUrl);
}

function policyFor(source: URL): string {
  const host = source.origin;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    isImage(source) ? `img-src ${host}` : "img-src 'self'",
    ...(isImage(source) ? [] : [`media-src ${host} blob:`]),
    ...(isStream(source) ? [`connect-src ${host}`, "worker-src blob:"] : []),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

const isImage = ({ pathname }: URL) => /\.(gif|webp|avif|png)$/i.test(pathname);
const isStream = ({ pathname }: URL) => /\.m3u8$/i.test(pathname);

function documentOf({ id, title, alt, mediaType, thumbnailUrl }: Post, source: URL): string {
  const name = escapeHtml(alt ?? title ?? "");
  const src = escapeHtml(source.href);
  const poster = thumbnailUrl && ` poster="${escapeHtml(remotePicture(`posts/${id}`, thumbnailUrl))}"`;
  const loop = mediaType === "gif" ? " loop muted" : "";
  const video = (attribute: string) =>
    `<video ${attribute}="${src}"${poster ?? ""}${loop} aria-label="${name}" controls playsinline preload="metadata"></video>`;
  const media = isImage(source)
    ? `<img src="${src}" alt="${name}">`
    : isStream(source)
      ? `${video("data-stream")}<script type="module" src="/player.js"></script>`
      : video("src");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><style>${style}</style>${media}`;
}
