import { crc32, gzipSync } from "node:zlib";
import { DAY, HOUR } from "@tandem/contract/durations";
import { remotePicture } from "@tandem/contract/remote-pictures";
import { makeAdmin } from "@tandem/testing/admins";
import { stoppedClock } from "@tandem/testing/clock";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { loopback, Origin, type OriginHandler } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { enginesWithStores, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { type Counter, Registry } from "prom-client";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepStore } from "../../media/delete-orphans.ts";
import { mediaTasks } from "../../media/worker-pool.ts";
import { claimEntry, forgetFile, readEntry } from "./entries.queries.ts";
import { evictRemotePictures } from "./evict.ts";
import { RemotePictures } from "./remote-pictures.ts";

const signal = new AbortController().signal;

/** The PNG with a header that claims this many pixels a side. */
function claiming(png: Buffer, side: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

describe.each(enginesWithStores)("pictures of other hosts on %s with %s", (engine, store) => {
  const once = testOnce(engine);
  const clock = stoppedClock();
  let tandem: Tandem;
  let origin: Origin;
  let png: Buffer;
  beforeAll(async () => {
    const env = {
      ...loopback,
      REMOTE_PICTURES_MB: "1",
      TRUST_PROXY: "1",
      LIMIT_THROTTLES_REMOTE_PICTURES_PER_ADDRESS_LIMIT: "2",
    };
    [tandem, origin, png] = await Promise.all([
      startTandem(engine, { env, store, now: clock.now }),
      Origin.start(),
      drawPicture({ type: "png" }),
    ]);
  });
  afterAll(async () => {
    await tandem.stop();
    await origin[Symbol.asyncDispose]();
  });

  let shown = 0;
  /** Another address of the origin, which responds in this way. */
  const at = (what: OriginHandler) => origin.show(`/${++shown}.png`, what);
  const insert = (post: Parameters<typeof insertImportedPost>[1]) =>
    tandem.storage.write((tx) => insertImportedPost(tx, post));
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(tandem.baseUrl + path, { headers });
  const requestsTo = (url: string) => origin.requests.filter(({ path }) => url.endsWith(path)).length;
  const stored = async () => {
    const names: string[] = [];
    for await (const { name } of tandem.services.media.store.list()) names.push(name);
    return names.toSorted();
  };
  const show = async (url: string) =>
    remotePicture(`posts/${await insert({ mediaType: "image", mediaUrl: url })}`, url);

  test("are fetched once for all readers and processes, converted, and served as harmless pictures", async () => {
    const body = await drawPicture({ type: "png", width: 1500, height: 1000 });
    const url = at({ body, headers: { "content-type": "text/html" } });
    const id = await insert({
      mediaType: "image",
      mediaUrl: url,
      thumbnailUrl: url,
      authorAvatarUrl: url,
      author: "a/b",
    });
    const path = remotePicture(`posts/${id}`, url);
    const request = { owner: { kind: "post", id }, url, size: "card", address: "127.0.0.1" } as const;
    // As another process has it.
    const other = new RemotePictures({ ...tandem.services, metrics: new Registry() });
    const [elsewhere, ...responses] = await Promise.all([
      other.find(request),
      ...[1, 2, 3].map(() => get(path)),
    ]);
    await elsewhere.file[Symbol.asyncDispose]();
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requestsTo(url)).toBe(1);
    const [response] = responses;
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=604800, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    const sizes = [];
    for (const one of [path, `${path}&full`, remotePicture("creators/reddit/a%2Fb", url)]) {
      const { width, height, format } = await sharp(await (await get(one)).arrayBuffer()).metadata();
      sizes.push([format, width, height]);
    }
    expect(sizes).toEqual([
      ["webp", 1280, 853],
      ["webp", 1500, 1000],
      ["webp", 160, 160],
    ]);
    // An author's address shows the current avatar, whatever it contains.
    const avatar = await get(remotePicture("creators/reddit/a%2Fb", `${url}?old`));
    expect([avatar.status, avatar.headers.get("cache-control")]).toEqual([200, "public, max-age=3600"]);
    const before = requestsTo(url);
    expect((await get(path)).status).toBe(200);
    expect(requestsTo(url)).toBe(before);
  });

  if (runsOnceTests(engine))
    test.each(["gif", "webp", "avif"] as const)("can be %s", async (type) => {
      const body = await sharp(png).toFormat(type).toBuffer();
      expect((await get(await show(at({ body })))).headers.get("content-type")).toBe("image/webp");
    });

  test("have the AI mark of the product that shows them", async () => {
    const ada = await tandem.as.human();
    const key = await tandem.as.key(undefined, ada);
    const imageUrl = at({ body: png });
    const { product } = await ada.createProduct({ title: "Loom", url: "https://shop.example/", imageUrl });
    const mine = (await key.createProduct({ title: "Loom", url: "https://shop.example/", imageUrl })).product;
    const isMarked = async ({ id }: { id: number }) => {
      const response = await get(remotePicture(`products/${id}`, imageUrl));
      expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
      return Buffer.from(await response.arrayBuffer()).includes("trainedAlgorithmicMedia");
    };
    expect([await isMarked(product), await isMarked(mine)]).toEqual([false, true]);
    await key.editProduct({ id: product.id, price: "12 EUR" });
    expect(await isMarked(product)).toBe(true);
  });

  once("are served only while someone shows them", async () => {
    const [ada, admin] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const url = at({ body: png });
    const other = at({ body: png });
    const post = { mediaType: "image", mediaUrl: url } as const;
    const [plain, removed] = [await insert(post), await insert(post)];
    const video = await insert({ mediaType: "video", mediaUrl: url });
    const link = (await ada.createPost({ title: "A link", url })).post.id;
    const { product } = await ada.createProduct({
      title: "Loom",
      url: "https://shop.example/",
      imageUrl: url,
    });
    const statusOf = async (owner: string, of = url) => (await get(remotePicture(owner, of))).status;
    for (const owner of [`posts/${plain}`, `posts/${removed}`, `products/${product.id}`])
      expect([owner, await statusOf(owner)]).toEqual([owner, 200]);
    await admin.removePost({ id: removed, reason: "Spam" });
    await admin.suspendAccount({ id: ada.user.id, reason: "Spam", until: null });
    const refused = [`posts/${removed}`, `posts/${video}`, `posts/${link}`, `products/${product.id}`];
    for (const owner of [...refused, "posts/999999", "posts/0", "posts/x", "creators/reddit/nobody", "odd/1"])
      expect([owner, await statusOf(owner)]).toEqual([owner, 404]);
    await admin.denyLink({ host: "127.0.0.1", reason: "Spam" });
    expect(await statusOf(`posts/${plain}`)).toBe(404);
    await admin.allowLink({ host: "127.0.0.1" });
    expect(await statusOf(`posts/${plain}`)).toBe(200);
    expect(await statusOf(`posts/${plain}`, other)).toBe(404);
    expect((await get(`/media/remote/posts/${plain}`)).status).toBe(404);
    expect(requestsTo(other)).toBe(0);
  });

  test.each<[string, () => Promise<OriginHandler> | OriginHandler]>([
    [
      "an SVG",
      () => ({ body: "<svg xmlns='http://www.w3.org/2000/svg'/>", headers: { "content-type": "image/png" } }),
    ],
    ["HTML", () => ({ body: "<!doctype html><script>", headers: { "content-type": "image/png" } })],
    [
      "a picture that contains HTML",
      () => ({ body: Buffer.concat([png, Buffer.from("<script>alert(1)//</script>")]) }),
    ],
    ["a damaged picture", () => ({ body: png.subarray(0, png.length / 2) })],
    ["a picture of too many pixels", () => ({ body: claiming(png, 60_000) })],
    [
      "a compressed flood",
      () => ({ body: gzipSync(Buffer.alloc(2 ** 24)), headers: { "content-encoding": "gzip" } }),
    ],
    ["too many bytes", () => ({ body: Buffer.alloc(11 * 2 ** 20) })],
    ["a redirect into the network", () => ({ status: 302, headers: { location: "http://127.0.0.2/a.png" } })],
    ["a missing picture", () => ({ status: 404 })],
    ["an error", () => ({ status: 500 })],
    ["a wish to wait", () => ({ status: 429, headers: { "retry-after": "0" } })],
  ])("are 404 if the origin has %s, and not asked for again soon", async (_, what) => {
    const url = at(await what());
    const before = await stored();
    const path = await show(url);
    for (let i = 0; i < 2; i++) {
      const response = await get(path);
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ code: "not_found" }),
      ]);
    }
    expect(requestsTo(url)).toBe(1);
    expect(await stored()).toEqual(before);
    clock.pass(DAY);
    await get(path);
    expect(requestsTo(url)).toBe(2);
  });

  if (runsOnceTests(engine))
    test.each([
      { seconds: 0.2, idle: 0.1, total: 10 },
      { seconds: 10, idle: 10, total: 1 },
    ])("are given up if the origin is slow, with %o", async (timeouts) => {
      const url = at((_request, response) => void response.write(png.subarray(0, 100)));
      const id = await insert({ mediaType: "image", mediaUrl: url });
      const impatient = new RemotePictures({ ...tandem.services, metrics: new Registry() }, timeouts);
      const request = { owner: { kind: "post", id }, url, size: "card", address: "127.0.0.1" } as const;
      // Other requests can start while this one waits.
      let freedAt: number | null = null;
      const found = impatient.find(request, () => {
        freedAt = requestsTo(url);
      });
      await expect(found).rejects.toMatchObject({ code: "not_found" });
      expect(freedAt).toBe(0);
      expect((await get(remotePicture(`posts/${id}`, url))).status).toBe(404);
      expect(requestsTo(url)).toBe(1);
    });

  test("leave the cache by age and by size, those unused for longest first, and are fetched again", async () => {
    // A WebP of it has about 0.4 MB.
    const grain = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const canvas = { width: 850, height: 850, channels: 3, background: "grey", noise: grain } as const;
    const noise = await sharp({ create: canvas }).jpeg().toBuffer();
    const urls = [1, 2, 3].map(() => at({ body: noise }));
    const paths: string[] = [];
    for (const url of urls) {
      paths.push(await show(url));
      expect((await get(paths.at(-1) ?? "")).status).toBe(200);
      clock.pass(2 * HOUR);
    }
    await get(paths[0] ?? "");
    await evictRemotePictures(tandem.services, signal);
    // The daily sweep for files without a row leaves them alone.
    await sweepStore(tandem.services, Date.now() + DAY);
    const { bytes } = await tandem.storage.read
      .selectFrom("remote_pictures")
      .select((eb) => eb.fn.sum("bytes").as("bytes"))
      .executeTakeFirstOrThrow();
    expect(Number(bytes)).toBeLessThanOrEqual(2 ** 20);
    for (const path of paths) expect((await get(path)).status).toBe(200);
    expect(urls.map(requestsTo)).toEqual([1, 2, 1]);
    const old = await stored();
    clock.passDays(31);
    expect((await get(paths[0] ?? "")).status).toBe(200);
    expect(requestsTo(urls[0] ?? "")).toBe(2);
    await evictRemotePictures(tandem.services, signal);
    expect((await stored()).filter((name) => old.includes(name))).toEqual([]);
    // A store that has lost them, such as after a restore.
    await tandem.services.media.store.remove(await stored());
    expect((await get(paths[0] ?? "")).status).toBe(200);
    expect(requestsTo(urls[0] ?? "")).toBe(3);
    // Two processes miss the same file: the second doesn't end the lease of the first.
    const { key, file } = await tandem.storage.read
      .selectFrom("remote_pictures")
      .select(["key", "file"])
      .where("file", "is not", null)
      .limit(1)
      .executeTakeFirstOrThrow();
    const [now, leaseEndsAt] = [clock.now(), clock.now() + HOUR];
    await tandem.storage.write(async (tx) => {
      await forgetFile(tx, key, String(file), now);
      expect(await claimEntry(tx, key, now, leaseEndsAt)).toBe(true);
      await forgetFile(tx, key, String(file), now);
    });
    expect(await readEntry(tandem.storage.read, key)).toMatchObject({ lease_ends_at: leaseEndsAt });
  });

  once("leave room for uploads, however many are requested", async () => {
    const ada = await tandem.as.human();
    const tasks: number[] = [];
    const paths = await Promise.all(
      Array.from({ length: 100 }, () =>
        show(
          at((_request, response) => {
            const { running, waiting } = mediaTasks();
            tasks.push(running + waiting);
            response.end(png);
          }),
        ),
      ),
    );
    const responses = paths.map((path) => get(path));
    await Promise.any(responses);
    await ada.createPost({ title: "A picture", image: new Blob([new Uint8Array(png)]) });
    await Promise.all(responses);
    expect(Math.max(...tasks)).toBeLessThan(10);
  });

  once("are fetched for one client only so often, and each request counts once", async () => {
    const count = async () => {
      const metric = tandem.services.metrics.getSingleMetric("tandem_remote_pictures_total") as Counter;
      const { values } = await metric.get();
      return new Map(values.map(({ labels, value }) => [labels.outcome, value]));
    };
    const before = await count();
    const from = { "x-forwarded-for": "192.0.2.7" };
    const statuses = [];
    const paths = [];
    for (let i = 0; i < 3; i++) paths.push(await show(at({ body: png })));
    for (const path of [...paths, paths[0] ?? ""]) statuses.push((await get(path, from)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    const after = await count();
    const counted = [...after].map(([outcome, value]) => [outcome, value - (before.get(outcome) ?? 0)]);
    expect(Object.fromEntries(counted)).toMatchObject({ fetched: 2, limited: 1, cached: 1 });
    expect((await get(paths[2] ?? "", from)).headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await get(paths[2] ?? "")).status).toBe(200);
    // Someone else who waits for the same picture has a limit of their own.
    const url = at({ body: png });
    const id = await insert({ mediaType: "image", mediaUrl: url });
    const pictures = new RemotePictures({ ...tandem.services, metrics: new Registry() });
    const find = (address: string) =>
      pictures.find({ owner: { kind: "post", id }, url, size: "card", address });
    // The first gets it only if the other happens to fetch it.
    const limited = find("192.0.2.7").catch((error) => {
      expect(error).toMatchObject({ code: "rate_limited" });
      return null;
    });
    const found = await find("198.51.100.7");
    await found.file[Symbol.asyncDispose]();
    await (await limited)?.file[Symbol.asyncDispose]();
  });
});
