import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { drawPicture } from "@tandem/testing/pictures";
import { programOf } from "@tandem/testing/programs";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Reads feeds as Python does, whose parser of XML takes nothing that isn't well-formed, and whose mail knows its dates. */
const READER = `
import json, sys, urllib.request, xml.etree.ElementTree as tree
from email.utils import parsedate_to_datetime
from datetime import datetime
from urllib.parse import urlsplit
ATOM, MEDIA = "{http://www.w3.org/2005/Atom}", "{http://search.yahoo.com/mrss/}"
def read(path):
    with urllib.request.urlopen(sys.argv[1] + path) as response: return response.read()
def text(of, name):
    found = of.findall(name)
    assert len(found) == 1, (name, len(found))
    return found[0].text.strip()
def iri(value):
    assert urlsplit(value).scheme in ("http", "https"), value
    return value
def moment(value):
    return int(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp())
def enclosure(url, kind): return [iri(url), kind]
def rss():
    feed = tree.fromstring(read("/feed.rss"))
    assert (feed.tag, feed.get("version")) == ("rss", "2.0")
    channel = feed.find("channel")
    for name in ("title", "link", "description"): assert text(channel, name)
    self = [link.get("href") for link in channel.findall(ATOM + "link") if link.get("rel") == "self"]
    items = [{"id": iri(text(item, "guid")), "link": iri(text(item, "link")), "html": text(item, "description"),
      "at": int(parsedate_to_datetime(text(item, "pubDate")).timestamp()),
      "marks": [one.text for one in item.findall("category") if one.get("domain")],
      "files": [enclosure(one.get("url"), one.get("type")) for one in item.findall("enclosure") if int(one.get("length")) >= 0]}
      for item in channel.findall("item")]
    return {"self": self, "items": items}
def atom():
    feed = tree.fromstring(read("/feed.atom"))
    assert feed.tag == ATOM + "feed"
    assert text(feed, ATOM + "title") and iri(text(feed, ATOM + "id")) and moment(text(feed, ATOM + "updated"))
    links = lambda of, rel: [link.get("href") for link in of.findall(ATOM + "link") if link.get("rel") == rel]
    items = []
    for entry in feed.findall(ATOM + "entry"):
        assert entry.find(ATOM + "author/" + ATOM + "name").text and text(entry, ATOM + "title")
        assert moment(text(entry, ATOM + "updated"))
        content = entry.find(ATOM + "content")
        assert content.get("type") == "html"
        items.append({"id": iri(text(entry, ATOM + "id")), "link": links(entry, "alternate")[0], "html": content.text.strip(),
          "at": moment(text(entry, ATOM + "published")),
          "marks": [one.get("term") for one in entry.findall(ATOM + "category") if one.get("scheme")],
          "files": [enclosure(link.get("href"), link.get("type")) for link in entry.findall(ATOM + "link")
            if link.get("rel") == "enclosure"]})
    return {"self": links(feed, "self"), "items": items}
def jsonfeed():
    feed = json.loads(read("/feed.json"))
    assert feed["version"] == "https://jsonfeed.org/version/1.1" and feed["title"]
    items = [{"id": one["id"], "link": iri(one["url"]), "html": one["content_text"], "at": moment(one["date_published"]),
      "marks": one["tags"][:1], "files": [enclosure(file["url"], file["mime_type"]) for file in one.get("attachments", [])]}
      for one in feed["items"]]
    return {"self": [iri(feed["feed_url"])], "items": items}
print(json.dumps({"rss": rss(), "atom": atom(), "json": jsonfeed()}))
`;

interface Read {
  self: string[];
  items: { id: string; link: string; html: string; at: number; marks: string[]; files: [string, string][] }[];
}

let tandem: Tandem;
beforeAll(async () => {
  await programOf("python3");
  tandem = await startTandem();
  const ada = await tandem.as.human("ada_l");
  await ada.createPost({ title: "]]> <i>", body: '"Quoted" & <b>bold</b>\u{1f600}\nsecond line' });
  const image = new Blob([new Uint8Array(await drawPicture())]);
  await ada.createPost({ title: "A picture", alt: 'Light "and" dark', image });
  const bot = await tandem.as.agent(ada);
  await bot.createPost({ title: "A link", url: "https://example.org/?a=1&b=<2>" });
  await tandem.storage.write(async (tx) => {
    const video = { platform: "youtube", mediaType: "video", title: "A video" } as const;
    await insertImportedPost(tx, { ...video, mediaUrl: "https://www.youtube-nocookie.com/embed/abcdefg" });
    await insertImportedPost(tx, {
      ...video,
      platform: "lemmy",
      title: null,
      mediaUrl: "https://example.org/a.mp4?x=1",
    });
  });
}, 300_000);
afterAll(() => tandem.stop());

test("what a strict reader that isn't ours needs is there, and says the same in each format", async () => {
  const { stdout } = await promisify(execFile)("python3", ["-c", READER, tandem.baseUrl]);
  const feeds: Record<string, Read> = JSON.parse(stdout);
  const { posts } = await tandem.as.anonymous().listPosts();
  for (const [format, { self, items }] of Object.entries(feeds)) {
    expect(self).toEqual([`${tandem.baseUrl}/feed.${format}`]);
    const picture = posts.find(({ mediaType }) => mediaType === "image");
    expect(items.map(({ html, ...rest }) => rest)).toEqual(
      posts.map(({ id, postedAt, provenance, provenanceBasis, title, mediaUrl }) => ({
        id: `${tandem.baseUrl}/posts/${id}`,
        link: `${tandem.baseUrl}/posts/${id}`,
        at: Math.floor(Date.parse(postedAt) / 1000),
        marks: provenanceBasis === "assumed" ? [] : [provenance],
        files:
          title === null
            ? [[mediaUrl, "video/mp4"]]
            : title === "A picture"
              ? [[tandem.baseUrl + picture?.mediaUrl, "image/webp"]]
              : [],
      })),
    );
  }
  const html = (feeds.rss?.items ?? []).map((item) => item.html).join("\n");
  expect(html).toContain("&quot;Quoted&quot; &amp; &lt;b&gt;bold&lt;/b&gt;\u{1f600}<br>second line");
  expect(html).toContain('alt="Light &quot;and&quot; dark"');
  expect(html).toContain('<a href="https://example.org/?a=1&amp;b=&lt;2&gt;" rel="nofollow ugc">');
  expect(feeds.atom?.items.map((item) => item.html)).toEqual(feeds.rss?.items.map((item) => item.html));
});
