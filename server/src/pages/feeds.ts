import { withoutSensitive } from "@tandem/contract/content-warning";
import { withoutHidden } from "@tandem/contract/hidden-text";
import type { Post } from "@tandem/contract/post-resources";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Ready, ready, sendReady } from "../discovery/send.ts";
import type { Services } from "../http/services.ts";
import { Addresses } from "./addresses.ts";
import type { AnonymousClient } from "./anonymous-client.ts";
import { type FeedFormatName, feedFormats } from "./feed-formats.ts";
import type { PageCache } from "./page-cache.ts";

/**
 * Feeds for feed readers: of all posts, filtered by any parameter of `GET /api/posts` such as a community or a search,
 * and of a creator.
 */
export function mountFeeds(
  server: FastifyInstance,
  services: Services,
  call: AnonymousClient,
  cache: PageCache<Ready>,
): void {
  const config = { cost: ({ url }: FastifyRequest) => (cache.has(url) ? "cheap" : "dear") } as const;
  for (const format of Object.keys(feedFormats) as FeedFormatName[]) {
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      const feed = await cache.share(request.url, () => makeFeed(services, call, format, request));
      return sendReady(request, reply.header("age", feed.age), feed.page, FRESH);
    };
    server.get(`/feed.${format}`, { config }, send);
    server.get(`/creators/:platform/:author/feed.${format}`, { config }, send);
  }
}

async function makeFeed(
  services: Services,
  call: AnonymousClient,
  format: FeedFormatName,
  request: FastifyRequest,
): Promise<Ready> {
  const [path = "", ...rest] = request.url.split("?");
  const query = rest.join("?");
  const whose = request.params as { platform?: string; author?: string };
  if (whose.author !== undefined) await call("readCreator", { params: whose as Record<string, string> });
  const creator = new URLSearchParams(whose as Record<string, string>).toString();
  const { posts, nextCursor } = await call("listPosts", {
    query: [creator, query].filter(Boolean).join("&"),
  });
  const at = new Addresses(services.baseUrl, "html");
  const self = `${services.baseUrl}${path}`;
  const text = await feedFormats[format].write({
    title: titleOf(whose.author, new URLSearchParams(query), posts),
    home: homeOf(services.baseUrl, path, query),
    self: withQuery(self, query),
    next: nextCursor === null ? null : withQuery(self, withCursor(query, nextCursor)),
    posts: posts.map(withoutSensitive),
    at,
    policy: `${services.baseUrl}/ai-policy`,
    now: services.now(),
  });
  return ready(text, `${feedFormats[format].type}; charset=utf-8`);
}

/** Seconds that readers may cache a feed. */
const FRESH = 60;

/** The title: Tandem and the filters, without characters that XML doesn't allow. */
function titleOf(author: string | undefined, parameters: URLSearchParams, posts: readonly Post[]): string {
  const about = [...parameters].flatMap(([name, value]) => {
    if (name === "cursor" || name === "limit") return [];
    const source = name === "sourceId" ? posts[0]?.sourceName : null;
    return [withoutHidden(source ?? value)];
  });
  return ["Tandem", ...(author === undefined ? [] : [author]), ...about].join(" · ");
}

function homeOf(baseUrl: string, path: string, query: string): string {
  return withQuery(`${baseUrl}${path.replace(/\/?feed\.\w+$/, "") || "/"}`, query);
}

function withQuery(address: string, query: string): string {
  return query === "" ? address : `${address}?${query}`;
}

function withCursor(query: string, cursor: number): string {
  const next = new URLSearchParams(query);
  next.set("cursor", String(cursor));
  return next.toString();
}

/** The feed URLs of a page, in each format. */
export function feedsOf(address: string, query: string) {
  return (Object.keys(feedFormats) as FeedFormatName[]).map((format) => ({
    type: feedFormats[format].type,
    title: feedFormats[format].name,
    href: withQuery(`${address.replace(/\/$/, "")}/feed.${format}`, query),
  }));
}
