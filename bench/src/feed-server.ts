import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DAY, MINUTE } from "@tandem/contract/durations";

/*
 * Serves thousands of RSS feeds, on any host in 127.0.0.0/8: `/N.xml` is feed N with 20 articles, newest first. `POST /more`
 * adds one article to each.
 */

const ARTICLES = 20;
let added = 0;
const begun = Date.now() - DAY;

function article(feed: number, number: number): string {
  const at = new Date(begun + number * MINUTE).toUTCString();
  return `<item><guid isPermaLink="false">tag:bench,2026:${feed}-${number}</guid><title>Article ${number} of feed ${feed}</title>
    <dc:creator>Writer ${feed % 997}</dc:creator><link>https://example.org/${feed}/${number}</link><pubDate>${at}</pubDate>
    <description>&lt;p&gt;${"Some words on looms and engines. ".repeat(12)}&lt;/p&gt;</description></item>`;
}

function feedOf(number: number): string {
  const latest = ARTICLES + added;
  const items = Array.from({ length: ARTICLES }, (_, i) => article(number, latest - i));
  return `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
    <title>Feed ${number}</title><link>https://example.org/${number}/</link>${items.join("")}</channel></rss>`;
}

const server = createServer((request, response) => {
  if (request.method === "POST") {
    added += 1;
    response.end();
    return;
  }
  const number = /^\/(\d+)\.xml$/.exec(request.url ?? "")?.[1];
  const etag = `"${added}"`;
  if (number === undefined) response.writeHead(404).end();
  else if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, "content-type": "application/rss+xml" }).end(feedOf(Number(number)));
});
server.listen(0, "0.0.0.0", () => {
  console.log(`The origin serves http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit(0));
