import { escapeHtml } from "@tandem/web/shared/html";
import { impliedBasis } from "@tandem/web/shared/implied-basis";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { toMarkdown } from "../discovery/prose-markdown.ts";
import { MARKDOWN, preferred, type Ready, ready, sendPage } from "../discovery/send.ts";
import type { Services } from "../http/services.ts";
import { Addresses } from "./addresses.ts";
import { anonymousClient } from "./anonymous-client.ts";
import { serveAppFiles } from "./app-files.ts";
import { creator } from "./creator.ts";
import { feed } from "./feed.ts";
import { feedsOf, mountFeeds } from "./feeds.ts";
import { homeForm } from "./home-form.ts";
import { PageCache } from "./page-cache.ts";
import { mountPlayer } from "./player.ts";
import { post } from "./post.ts";
import { takePostedResponses } from "./posted-response.ts";
import { quotes } from "./quotes.ts";
import type { Show } from "./show.ts";
import { mountSitemap } from "./sitemap.ts";
import { transparency } from "./transparency.ts";
import { commentVersions, postVersions } from "./versions.ts";
import { pagesOfApp, type Web } from "./web.ts";

interface Twin {
  /** Renders the page as Markdown. */
  show: Show;
  /** Whether the page is available as a feed. */
  feeds: boolean;
}

/** Pages that are also available as Markdown, by path. */
const twins: Record<string, Twin> = {
  "/": { show: feed, feeds: true },
  "/index.md": { show: feed, feeds: true },
  "/posts/:id": { show: post, feeds: false },
  "/posts/:id/quotes": { show: quotes, feeds: false },
  "/posts/:id/quotes.md": { show: quotes, feeds: false },
  "/posts/:id/versions": { show: postVersions, feeds: false },
  "/posts/:id/versions.md": { show: postVersions, feeds: false },
  "/comments/:id/versions": { show: commentVersions, feeds: false },
  "/comments/:id/versions.md": { show: commentVersions, feeds: false },
  "/creators/:platform/:author": { show: creator, feeds: true },
  "/transparency": { show: transparency, feeds: false },
  "/transparency.md": { show: transparency, feeds: false },
};

/**
 * Serves the web app, and the feed, posts and creators as Markdown, as an anonymous reader sees them.
 */
export function mountPages(server: FastifyInstance, services: Services, web: Web): void {
  const { draw } = web;
  const call = anonymousClient(services);
  const cache = new PageCache<Ready>(services.config.pageCache);
  mountFeeds(server, services, call, cache);
  mountSitemap(server, services, cache);
  serveAppFiles(server);
  takePostedResponses(server);
  mountPlayer(server, services, call);
  for (const [path, { show, feeds }] of Object.entries(twins))
    server.get(path, { config: { cost: web.costOf } }, async (request, reply) => {
      const [address = "", ...rest] = request.url.split("?");
      const query = rest.join("?");
      const named = address.endsWith(".md");
      const form = path === "/" ? homeForm(request, reply) : preferred(request, "html");
      if (!named && form === "html")
        return draw(request, reply, otherForms(services.baseUrl, address, query, feeds));
      const params = paramsOf(request, named);
      const at = new Addresses(services.baseUrl, "markdown");
      const page = await cache.share(`markdown ${request.url}`, async () =>
        ready(toMarkdown(await show({ services, call, params, query, at })), MARKDOWN),
      );
      return sendPage(request, reply.header("age", page.age), page.page);
    });
  for (const path of pagesOfApp(Object.keys(twins)))
    server.get(path, { config: { cost: web.costOf } }, (request, reply) => draw(request, reply));
}

/** URLs of a page's other forms, for its HTML head. */
function otherForms(baseUrl: string, path: string, ownQuery: string, feeds: boolean): string {
  const query = withImpliedBasis(ownQuery);
  const markdown = `${baseUrl}${path === "/" ? "/index" : path}.md${query && `?${query}`}`;
  const links = [
    { type: "text/markdown", title: "Markdown", href: markdown },
    ...(feeds ? feedsOf(baseUrl + path, query) : []),
  ];
  return links
    .map(
      ({ type, title, href }) =>
        `<link rel="alternate" type="${escapeHtml(type)}" title="${escapeHtml(title)}" href="${escapeHtml(href)}">\n`,
    )
    .join("");
}

/** The query with the basis that the app adds to it, so that the other forms contain the same posts. */
function withImpliedBasis(query: string): string {
  const params = new URLSearchParams(query);
  const basis = impliedBasis(params.get("provenance"), params.get("basis"));
  return basis === undefined ? query : `${query}&basis=${basis}`;
}

/** Removes the form's extension from the path's last value. */
function paramsOf({ params }: FastifyRequest, named: boolean): Record<string, string> {
  const values = Object.entries(params as Record<string, string>);
  const last = values.length - 1;
  const end = named ? /\.md$/ : "";
  return Object.fromEntries(
    values.map(([name, value], i) => [name, i === last ? value.replace(end, "") : value]),
  );
}
