import { createHash } from "node:crypto";
import { embeddedPlayerOf } from "@tandem/contract/embedded-players";
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
  "html,body{margin:0;height:100%;background:#000}video,img,iframe{display:block;width:100%;height:100%;object-fit:contain;border:0}";
const styleHash = createHash("sha256").update(style).digest("base64");

/** A document for frames, and what it may load. */
interface Player {
  source: URL;
  html: string;
  policy: string[];
}

/**
 * Serves documents with nothing but the video, animated image, audio or player of another host, for frames in the app's pages. Each
 * allows what it needs, and only once the reader plays it: the app loads the frame then.
 */
export function mountPlayer(server: FastifyInstance, { storage }: Services, call: AnonymousClient): void {
  const mount = (path: string, name: string, playerOf: (post: Post) => Player | null) =>
    server.get<{ Params: { id: string } }>(path, async ({ params }, reply) => {
      const { post } = await call("readPost", { params });
      const player = playerOf(post);
      if (player === null || (await isDenied(storage.read, player.source.href))) throw notFound(name);
      const closing = ["form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'"];
      reply.headers({
        "content-type": HTML,
        "content-security-policy": ["default-src 'none'", ...player.policy, ...closing].join("; "),
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "cache-control": "no-cache",
      });
      return reply.send(player.html);
    });
  mount("/posts/:id/player", "video", videoPlayer);
  mount("/posts/:id/audio", "audio", audioPlayer);
}

/** Null for addresses of this server. */
function remoteSource(address: string | null | undefined): URL | null {
  return address && /^https?:/.test(address) && URL.canParse(address) ? new URL(address) : null;
}

function videoPlayer(post: Post): Player | null {
  const embedded = embeddedPlayerOf(post);
  if (embedded !== null) return framePlayer(post, new URL(embedded.url));
  const isMoving = post.mediaType === "video" || post.mediaType === "gif";
  const source = isMoving ? remoteSource(post.mediaUrl) : null;
  return source && { source, html: videoDocument(post, source), policy: videoPolicy(source) };
}

/**
 * Another site's player. It learns this server's address, without which YouTube doesn't play, but not the page's; and it can open
 * windows, but not replace the page.
 */
function framePlayer({ title }: Post, source: URL): Player {
  const frame = `<iframe src="${escapeHtml(source.href)}" title="${escapeHtml(title ?? "")}" allow="autoplay; fullscreen; picture-in-picture; encrypted-media" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation" referrerpolicy="strict-origin" allowfullscreen></iframe>`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title ?? "Video")}</title><style>${style}</style>${frame}`;
  return { source, html, policy: [`style-src 'sha256-${styleHash}'`, `frame-src ${source.origin}`] };
}

/**
 * Audio may come from any host: nearly all podcasts are redirected to another one, which counts listeners or is close to
 * them, and the policy applies to that, too.
 */
function audioPlayer({ audioUrl }: Post): Player | null {
  const source = remoteSource(audioUrl);
  return source && { source, html: audioDocument(source), policy: [`media-src ${source.protocol}`] };
}

function audioDocument(source: URL): string {
  const audio = `<audio src="${escapeHtml(source.href)}" preload="none"></audio>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Audio</title>${audio}`;
}

function videoPolicy(source: URL): string[] {
  const host = source.origin;
  return [
    "script-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    isImage(source) ? `img-src ${host}` : "img-src 'self'",
    ...(isImage(source) ? [] : [`media-src ${host} blob:`]),
    ...(isStream(source) ? [`connect-src ${host}`, "worker-src blob:"] : []),
  ];
}

const isImage = ({ pathname }: URL) => /\.(gif|webp|avif|png)$/i.test(pathname);
const isStream = ({ pathname }: URL) => /\.m3u8$/i.test(pathname);

function videoDocument({ id, title, alt, mediaType, thumbnailUrl }: Post, source: URL): string {
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
