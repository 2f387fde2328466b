import { SITEMAP_PATH } from "@tandem/contract/documents";
import { HOUR } from "@tandem/contract/durations";
import { nativePlatform } from "@tandem/contract/origins";
import { escapeHtml } from "@tandem/web/shared/html";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Ready, ready, sendReady } from "../discovery/send.ts";
import { lastCreatorId, listedCreators } from "../features/creators/listed.queries.ts";
import { lastPostId, listedPosts } from "../features/posts/listed.queries.ts";
import { notFound } from "../http/api-error.ts";
import type { Services } from "../http/services.ts";
import { Addresses } from "./addresses.ts";
import type { PageCache } from "./page-cache.ts";

/** The app's pages without parameters that search engines should list. */
export const listedPages = [
  ...["/", "/creators", "/live", "/shop"],
  ...["/about", "/developers", "/policy", "/transparency"],
];

/** Ids per file, so that a file costs the same however many posts there are. The protocol allows 50,000 addresses. */
const IDS = 2000;
const TYPE = "application/xml; charset=utf-8";
/** Seconds that crawlers may cache a file. */
const FRESH = HOUR / 1000;

interface Entry {
  address: string;
  changedAt?: number;
}

type Db = Services["storage"]["read"];

interface Kind {
  last(db: Db): Promise<number>;
  read(db: Db, range: { from: number; below: number }, at: Addresses): Promise<Entry[]>;
}

/** What is listed by ranges of ids, by its name in the path. */
const kinds: Record<string, Kind> = {
  posts: {
    last: lastPostId,
    read: async (db, range, at) =>
      (await listedPosts(db, range)).map(({ id, changedAt }) => ({ address: at.post(id), changedAt })),
  },
  creators: {
    last: lastCreatorId,
    read: async (db, range, at) =>
      (await listedCreators(db, range)).map((author) => ({ address: at.creator(nativePlatform, author) })),
  },
};

/** Serves the sitemap (sitemaps.org): an index, and files that list what strangers may read and search engines should find. */
export function mountSitemap(server: FastifyInstance, services: Services, cache: PageCache<Ready>): void {
  const recent = () => services.storage.recent(async () => 0);
  // Without the query, which has no effect: otherwise, each would be made again.
  const pathOf = ({ url }: FastifyRequest) => url.replace(/\?.*/s, "");
  const config = {
    cost: (request: FastifyRequest) => (cache.has(pathOf(request)) ? "cheap" : "dear"),
  } as const;
  const serve = (path: string, make: (request: FastifyRequest) => Promise<string>) =>
    server.get(path, { config }, async (request, reply) => {
      const { page, age } = await cache.share(pathOf(request), async () => ready(await make(request), TYPE));
      return sendReady(request, reply.header("age", age), page, FRESH);
    });
  serve(SITEMAP_PATH, async () => {
    const db = await recent();
    const files = [`${services.baseUrl}/sitemaps/pages.xml`];
    for (const [name, { last }] of Object.entries(kinds)) {
      const newest = Math.floor((await last(db)) / IDS);
      for (let i = newest; i >= 0; i--) files.push(`${services.baseUrl}/sitemaps/${name}/${i}.xml`);
    }
    return indexOf(files);
  });
  serve("/sitemaps/pages.xml", async () =>
    listOf(listedPages.map((path) => ({ address: services.baseUrl + path }))),
  );
  serve("/sitemaps/:kind/:file", async (request) => {
    const { kind: name, file } = request.params as { kind: string; file: string };
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    const number = /^(0|[1-9]\d{0,9})\.xml$/.exec(file)?.[1];
    const db = await recent();
    const from = Number(number) * IDS;
    if (!kind || number === undefined || from > (await kind.last(db))) throw notFound("sitemap");
    const entries = await kind.read(db, { from, below: from + IDS }, new Addresses(services.baseUrl, "html"));
    // A file must list at least one page.
    return listOf(entries.length > 0 ? entries : [{ address: `${services.baseUrl}/` }]);
  });
}

function indexOf(files: readonly string[]): string {
  const items = files.map((file) => `<sitemap><loc>${escapeHtml(file)}</loc></sitemap>`);
  return documentOf("sitemapindex", items);
}

function listOf(entries: readonly Entry[]): string {
  const items = entries.map(({ address, changedAt }) => {
    const changed = changedAt === undefined ? "" : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escapeHtml(address)}</loc>${changed}</url>`;
  });
  return documentOf("urlset", items);
}

function documentOf(name: string, items: readonly string[]): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`;
  return [start, ...items, `</${name}>\n`].join("\n");
}
