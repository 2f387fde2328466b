import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { insertImportedPost, insertPosts } from "@tandem/testing/imported-posts";
import { faultsOf } from "@tandem/testing/looks";
import { loopback, Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, expect, test } from "vitest";

let tandem: Tandem;
beforeAll(async () => {
  tandem = await startTandem("sqlite", { env: loopback });
});
afterAll(() => tandem.stop());

const ORIGIN = "https://video.example.org";

const kinds = [
  ["m3u8", "application/vnd.apple.mpegurl"],
  ["vtt", "text/vtt"],
  ["ts", "video/mp2t"],
] as const;

/** An HLS stream with separate video, audio and subtitle tracks, as large sites publish them. */
async function makeStream(folder: string): Promise<void> {
  const picture = [
    "-map",
    "0:v",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-pix_fmt",
    "yuv420p",
    "-g",
    "10",
  ];
  const sound = ["-map", "1:a", "-c:a", "aac"];
  const pieces = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"];
  const sources = ["testsrc=size=160x90:rate=10", "sine"].flatMap((one) => [
    "-f",
    "lavfi",
    "-t",
    "3",
    "-i",
    one,
  ]);
  const [video, audio] = ["video.m3u8", "audio.m3u8"].map((name) => join(folder, name));
  const outputs = [...picture, ...pieces, String(video), ...sound, ...pieces, String(audio)];
  await promisify(execFile)(await programOf("ffmpeg"), ["-v", "error", ...sources, ...outputs]);
  await writeFile(join(folder, "words.vtt"), "WEBVTT\n\n00:00.000 --> 00:03.000\nThey weave.\n");
  await writeFile(
    join(folder, "words.m3u8"),
    "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:3,\nwords.vtt\n#EXT-X-ENDLIST\n",
  );
  await writeFile(
    join(folder, "all.m3u8"),
    `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="words",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="words.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.42c00b,mp4a.40.2",AUDIO="sound",SUBTITLES="words"
video.m3u8
`,
  );
}

test("shows pictures of other hosts without sending readers there", async () => {
  await using origin = await Origin.start();
  const png = await drawPicture({ type: "png", width: 1500, height: 300 });
  const at = (name: string) => origin.show(`/${name}.png`, { body: png });
  const ada = await tandem.as.human();
  const { product } = await ada.createProduct({ title: "Loom", url: ORIGIN, imageUrl: at("product") });
  await ada.createPost({ title: "For sale", productIds: [product.id] });
  const author = {
    platform: "mastodon",
    author: "bob/x@example.org",
    authorAvatarUrl: at("avatar"),
  } as const;
  const size = { width: 1500, height: 300 };
  const videoUrl = `${ORIGIN}/video.mp4`;
  const posts = [
    { title: "A picture", mediaType: "image", mediaUrl: at("picture"), ...size },
    { title: "A link", mediaType: "link", mediaUrl: ORIGIN, url: ORIGIN, thumbnailUrl: at("card") },
    { title: "A video", mediaType: "video", mediaUrl: videoUrl, thumbnailUrl: at("poster"), ...size },
  ] as const;
  for (const post of posts)
    await tandem.storage.write((tx) => insertImportedPost(tx, { ...author, ...post }));
  await using visitor = await visit(tandem);
  const { page } = visitor;
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== tandem.baseUrl)
      elsewhere.push(request.url());
  });
  const widths = () =>
    page.locator("main img").evaluateAll((all: HTMLImageElement[]) =>
      all.map((one) => {
        one.loading = "eager";
        return one.naturalWidth;
      }),
    );
  for (const path of ["/", `/creators/mastodon/${encodeURIComponent(author.author)}`, "/shop"]) {
    await visitor.open(path);
    await expect
      .poll(async () => (await widths()).every((width) => width > 0), { timeout: 30_000 })
      .toBe(true);
  }
  const fetched = origin.requests.map(({ path }) => path);
  expect([...new Set(fetched)].toSorted()).toEqual(
    ["avatar", "card", "picture", "poster", "product"].map((name) => `/${name}.png`),
  );
  await visitor.open("/");
  await page.getByRole("button", { name: "Enlarge" }).click();
  const opened = page.getByRole("dialog").locator("img");
  await expect
    .poll(() => opened.evaluate((one: HTMLImageElement) => one.naturalWidth), { timeout: 30_000 })
    .toBe(1500);
  expect(elsewhere).toEqual([]);
  expect(visitor.browserErrors).toEqual([]);
});

test("plays an imported stream with separate audio and subtitle tracks", async () => {
  await using directory = await temporaryDirectory();
  await makeStream(directory.path);
  const mediaUrl = `${ORIGIN}/all.m3u8`;
  const id = await tandem.storage.write((tx) =>
    insertImportedPost(tx, { platform: "bluesky", title: "Looms at work", mediaType: "video", mediaUrl }),
  );
  await using visitor = await visit(tandem);
  const { page } = visitor;
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const contentType = kinds.find(([end]) => name.endsWith(end))?.[1] ?? "";
    const headers = { "access-control-allow-origin": "*" };
    await route.fulfill({ body: await readFile(join(directory.path, name)), contentType, headers });
  });
  await visitor.open("/");
  const card = page.getByRole("article").filter({ hasText: "Looms at work" });
  await card.getByRole("button", { name: "Play" }).click();
  const player = await fetch(`${tandem.baseUrl}/posts/${id}/player`);
  expect(player.headers.get("content-security-policy")).toContain(`connect-src ${ORIGIN};`);
  const video = card.frameLocator("iframe").locator("video");
  await expect
    .poll(
      () =>
        video.evaluate((it: HTMLVideoElement & { webkitAudioDecodedByteCount?: number }) => {
          void it.play();
          const words = [...it.textTracks].map(({ language }) => language);
          return { plays: it.currentTime > 0, sounds: (it.webkitAudioDecodedByteCount ?? 0) > 0, words };
        }),
      { timeout: 30_000 },
    )
    .toEqual({ plays: true, sounds: true, words: expect.arrayContaining(["en"]) });
  expect(visitor.browserErrors).toEqual([]);
});

test("plays videos of YouTube, PeerTube and others in their players, of which nothing is loaded before a click", async () => {
  await using origin = await Origin.start();
  const poster = origin.show("/poster.png", {
    body: await drawPicture({ type: "png", width: 640, height: 360 }),
  });
  const youtube = "https://www.youtube-nocookie.com";
  const video = { mediaType: "video", thumbnailUrl: poster } as const;
  const [imported] = await tandem.storage.write((tx) =>
    insertPosts(tx, [
      {
        ...video,
        platform: "youtube",
        title: "Wheels",
        author: "Tube",
        mediaUrl: `${youtube}/embed/abcdefghijk`,
      },
      {
        ...video,
        platform: "peertube",
        title: "Looms",
        author: "Tube",
        mediaUrl: `${ORIGIN}/videos/embed/abc`,
      },
    ]),
  );
  const ada = await tandem.as.human();
  const { post } = await ada.createPost({ title: "Watch this", url: "https://youtu.be/lmnopqrstuv?t=90" });
  await using visitor = await visit(tandem);
  const { page } = visitor;
  const elsewhere: string[] = [];
  const referrers: (string | undefined)[] = [];
  const body = "<!doctype html><title>Player</title><video controls></video>";
  await page.route(
    (url) => url.origin !== tandem.baseUrl && url.protocol.startsWith("http"),
    async (route) => {
      const { referer } = await route.request().allHeaders();
      referrers.push(referer);
      elsewhere.push(route.request().url());
      await route.fulfill({ body, contentType: "text/html" });
    },
  );
  const card = (title: string) => page.getByRole("article").filter({ hasText: title });
  await visitor.open("/");
  expect(await faultsOf(visitor)).toEqual([]);
  expect(elsewhere).toEqual([]);

  // By keyboard; the focus goes to the player.
  await card("Watch this").getByRole("button", { name: "Play video from YouTube" }).press("Enter");
  const start = `${youtube}/embed/lmnopqrstuv?autoplay=1&start=90`;
  await expect.poll(() => elsewhere, { timeout: 30_000 }).toEqual([start]);
  expect(referrers).toEqual([`${tandem.baseUrl}/`]);
  await page.waitForFunction(() => document.activeElement?.localName === "iframe");
  expect(await card("Watch this").getByTitle("Video from YouTube").count()).toBe(1);

  // One at a time: the other player is taken away.
  await card("Looms").getByRole("button", { name: "Play video from video.example.org" }).click();
  await expect
    .poll(() => elsewhere, { timeout: 30_000 })
    .toEqual([start, `${ORIGIN}/videos/embed/abc?autoplay=1&p2p=0`]);
  await card("Watch this").getByRole("button", { name: "Play video from YouTube" }).waitFor();
  expect(visitor.browserErrors).toEqual([]);

  const policies = await Promise.all(
    [Number(imported), post.id].map(async (id) =>
      (await fetch(`${tandem.baseUrl}/posts/${id}/player`)).headers.get("content-security-policy"),
    ),
  );
  for (const policy of policies)
    expect(policy).toMatch(/default-src 'none';.*frame-src https:\/\/www\.youtube-nocookie\.com;/);
  const plain = await ada.createPost({ title: "A page", url: "https://www.youtube.com/@channel" });
  expect((await fetch(`${tandem.baseUrl}/posts/${plain.post.id}/player`)).status).toBe(404);
});

/** Half a minute of a tone, as a WAV file. */
function makeSound(seconds = 30, rate = 8000): Buffer {
  const samples = Buffer.from(Array.from({ length: seconds * rate }, (_, i) => 128 + 60 * Math.sin(i / 3)));
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Serves a file in parts, as hosts of podcasts do, so that its length is known and the position can be changed. */
function inParts(file: Buffer) {
  return ({ headers }: IncomingMessage, response: ServerResponse) => {
    const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
    response.writeHead(206, {
      "content-type": "audio/wav",
      "content-length": file.length - from,
      "content-range": `bytes ${from}-${file.length - 1}/${file.length}`,
    });
    response.end(file.subarray(from));
  };
}

test("plays audio of another host once the reader presses play, one at a time", async () => {
  await using origin = await Origin.start();
  await using storage = await Origin.start();
  // Podcasts count listeners at one host and keep their files at another.
  const location = storage.show("/1.wav", inParts(makeSound()));
  const redirected = origin.show("/1", { status: 302, headers: { location } });
  const missing = origin.show("/3", { status: 404 });
  const episode = { platform: "rss", mediaType: "link", author: "Show" } as const;
  const ids = await tandem.storage.write((tx) =>
    insertPosts(tx, [
      { ...episode, title: "Third", audioUrl: missing, mediaUrl: missing, url: missing },
      { ...episode, title: "Second", audioUrl: location, mediaUrl: ORIGIN, url: ORIGIN },
      {
        ...episode,
        title: "First",
        audioUrl: redirected,
        mediaUrl: ORIGIN,
        url: ORIGIN,
        durationSeconds: 31,
      },
    ]),
  );
  await using visitor = await visit(tandem);
  const { page } = visitor;
  await visitor.open("/creators/rss/Show");
  const card = (title: string) => page.getByRole("article").filter({ hasText: title });
  const first = card("First");
  expect(await first.getByText("Audio · 0:31").isVisible()).toBe(true);
  // Without scripts, the file is a link away.
  expect(await first.getByRole("link", { name: "File on 127.0.0.1" }).getAttribute("href")).toBe(redirected);
  expect([...origin.requests, ...storage.requests]).toEqual([]);

  const play = first.getByRole("button", { name: "Play: First" });
  await play.focus();
  await page.keyboard.press("Enter");
  const position = first.getByRole("slider", { name: "Position" });
  const seconds = async () =>
    Number(/^0:(\d\d) of 0:30$/.exec((await position.getAttribute("aria-valuetext")) ?? "")?.[1]);
  await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(origin.requests.map(({ path }) => path)).toContain("/1");
  await position.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("PageUp");
  await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(2);
  expect(await visitor.axeViolations()).toEqual([]);

  await card("Second").getByRole("button", { name: "Play: Second" }).click();
  const pause = card("Second").getByRole("button", { name: "Pause" });
  await expect.poll(() => play.count(), { timeout: 30_000 }).toBe(1);
  await pause.press("Space");
  await expect.poll(() => card("Second").getByRole("button", { name: "Play: Second" }).count()).toBe(1);
  expect(visitor.browserErrors).toEqual([]);

  // On the post's own page, a file that is gone.
  await visitor.open(`/posts/${ids[0]}`);
  await page.getByRole("button", { name: "Play: Third" }).click();
  await page.getByRole("alert").filter({ hasText: "This audio can't be played here." }).waitFor();
  expect(await page.getByRole("link", { name: "File on 127.0.0.1" }).getAttribute("href")).toBe(missing);
});
