import type { OriginPlatform } from "@tandem/contract/origins";
import { askOrigin } from "@tandem/testing/ask-origin";
import { Origin } from "@tandem/testing/origin";
import { afterAll, beforeAll, expect, test } from "vitest";
import { discover } from "./discover.ts";

/* URLs as people copy them from their browser. A request to `https://host/path` goes to the test origin's `/host/path`. */

const computerphile = "https://www.youtube.com/feeds/videos.xml?channel_id=UC9-y-6csu5WGm29I7JiwpnA";

let web: Origin;
beforeAll(async () => {
  web = await Origin.start();
  runs("lemmy.world", "lemmy");
  runs("mastodon.social", "mastodon");
  runs("framatube.org", "peertube");
  const youtube = naming("application/rss+xml", computerphile);
  for (const path of ["@Computerphile", "@Computerphile/videos", "c/computerphile"])
    web.show(`/www.youtube.com/${path}`, youtube);
  web.show(computerphile.replace("https:/", ""), {
    body: '<feed xmlns="http://www.w3.org/2005/Atom"><title>Computerphile</title><id>c</id></feed>',
  });
  web.show("/blog.example/2026/on-looms/", naming("application/atom+xml", "/atom.xml"));
  web.show("/blog.example/atom.xml", {
    body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>On looms</title><id>b</id>
      <link rel="alternate" href="https://blog.example/"/></feed>`,
  });
});
afterAll(() => web[Symbol.asyncDispose]());

/** Lets a server report its software by NodeInfo. */
function runs(host: string, name: string) {
  const links = [
    { rel: "http://nodeinfo.diaspora.software/ns/schema/2.0", href: `https://${host}/nodeinfo/2.0` },
  ];
  web.show(`/${host}/.well-known/nodeinfo`, { body: JSON.stringify({ links }) });
  web.show(`/${host}/nodeinfo/2.0`, { body: JSON.stringify({ version: "2.0", software: { name } }) });
}

function naming(type: string, href: string) {
  return {
    body: `<!doctype html><title>x</title><link rel="alternate" type="${type}" title="x" href="${href}">`,
  };
}

test.each<[string, OriginPlatform, string, string]>([
  [
    "https://www.reddit.com/r/programming",
    "reddit",
    "r/programming",
    "https://www.reddit.com/r/programming/new",
  ],
  [
    "https://www.reddit.com/r/programming/?utm_source=share",
    "reddit",
    "r/programming",
    "https://www.reddit.com/r/programming/new",
  ],
  [
    "https://old.reddit.com/r/programming/top/?t=week",
    "reddit",
    "r/programming",
    "https://www.reddit.com/r/programming/top",
  ],
  [
    "https://lemmy.world/c/technology",
    "lemmy",
    "!technology@lemmy.world",
    "https://lemmy.world/c/technology",
  ],
  [
    "https://lemmy.world/c/technology?dataType=Post&sort=Active",
    "lemmy",
    "!technology@lemmy.world",
    "https://lemmy.world/c/technology",
  ],
  ["https://mastodon.social/tags/rust", "mastodon", "#rust", "https://mastodon.social/tags/rust"],
  [
    "https://mastodon.social/@Gargron",
    "mastodon",
    "Gargron@mastodon.social",
    "https://mastodon.social/@Gargron",
  ],
  [
    "https://mastodon.social/@Gargron/",
    "mastodon",
    "Gargron@mastodon.social",
    "https://mastodon.social/@Gargron",
  ],
  ["https://bsky.app/profile/bsky.app", "bluesky", "@bsky.app", "https://bsky.app/profile/bsky.app"],
  [
    "https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/feed/whats-hot",
    "bluesky",
    "whats-hot",
    "https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/feed/whats-hot",
  ],
  ["https://news.ycombinator.com/", "hackernews", "Hacker News", "https://news.ycombinator.com/news"],
  ["news.ycombinator.com", "hackernews", "Hacker News", "https://news.ycombinator.com/news"],
  ["https://www.youtube.com/@Computerphile", "youtube", "Computerphile", computerphile],
  ["https://www.youtube.com/@Computerphile/videos", "youtube", "Computerphile", computerphile],
  ["https://www.youtube.com/c/computerphile", "youtube", "Computerphile", computerphile],
  ["https://www.youtube.com/channel/UC9-y-6csu5WGm29I7JiwpnA", "youtube", "Computerphile", computerphile],
  [
    "https://framatube.org/c/framablog.audio/videos?s=1",
    "peertube",
    "framablog.audio@framatube.org",
    "https://framatube.org/c/framablog.audio",
  ],
  [
    "https://framatube.org/a/framasoft/video-channels",
    "peertube",
    "framasoft@framatube.org",
    "https://framatube.org/a/framasoft",
  ],
  ["https://blog.example/2026/on-looms/", "rss", "On looms", "https://blog.example/atom.xml"],
  ["https://framatube.org", "peertube", "framatube.org", "https://framatube.org/"],
])("%s belongs to %s", async (given, platform, name, url) => {
  const { connector, place } = await discover(given, askOrigin(web));
  expect([connector.platform, place.name, place.url]).toEqual([platform, name, url]);
});
