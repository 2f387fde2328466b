import { readdir } from "node:fs/promises";
import type { Person } from "@tandem/testing/callers";
import { drawPicture, withFrames, withManifest } from "@tandem/testing/pictures";
import { enginesWithStores, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { makeVideo } from "@tandem/testing/videos";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteOrphans } from "../../media/delete-orphans.ts";

const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

describe.each(enginesWithStores)("posts with pictures and videos on %s and %s", (engine, store) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let picture: Blob;
  let video: Blob;
  beforeAll(async () => {
    tandem = await startTandem(engine, { store });
    picture = blob(await drawPicture({ width: 900, height: 600, orientation: 6, withLocation: true }));
    video = blob(await makeVideo());
  });
  beforeEach(async () => {
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  const get = (address: string | null, init: RequestInit = {}) => fetch(`${tandem.baseUrl}${address}`, init);
  const bytesAt = async (address: string | null) => Buffer.from(await (await get(address)).arrayBuffer());
  const stored = async () => {
    await tandem.services.afterResponse.idle();
    const names: string[] = [];
    for await (const { name } of tandem.services.media.store.list()) names.push(name);
    return names.sort();
  };
  const incoming = () => readdir(tandem.services.media.incoming).catch(() => []);
  const rows = () => tandem.storage.read.selectFrom("media_files").select("name").orderBy("name").execute();

  once("serves a picture upright in two sizes, without its location", async () => {
    const input = { title: "A loom", body: "Of wood.", alt: "A loom of wood.", image: picture };
    const { post } = await ada.createPost(input);
    expect(post).toMatchObject({
      title: "A loom",
      body: "Of wood.",
      alt: "A loom of wood.",
      mediaType: "image",
      mediaState: "ready",
      width: 900,
      height: 600,
      durationSeconds: null,
      url: null,
      thumbHash: expect.stringMatching(/^[\w+/=]{20,40}$/),
      originalUrl: null,
    });
    expect(await tandem.as.anonymous().readPost({ id: post.id })).toEqual({ post });
    const [full, feed] = await Promise.all([bytesAt(post.mediaUrl), bytesAt(post.thumbnailUrl)]);
    expect(await sharp(full).metadata()).toMatchObject({ format: "webp", width: 900, height: 600 });
    expect(await sharp(feed).metadata()).toMatchObject({ format: "webp", width: 720, height: 480 });
    for (const bytes of [full, feed]) expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(await incoming()).toEqual([]);
  });

  test("serves a video immediately, and its poster once it is drawn", async () => {
    const { post } = await ada.createPost({ title: "Weaving", video, image: picture });
    expect(post).toMatchObject({ mediaType: "video", mediaState: "preparing", thumbnailUrl: null });
    expect((await get(post.mediaUrl)).headers.get("content-type")).toBe("video/mp4");
    await tandem.services.afterResponse.idle();
    const later = (await ada.readPost({ id: post.id })).post;
    expect(later).toMatchObject({
      ...post,
      mediaState: "ready",
      thumbnailUrl: later.thumbnailUrl,
      thumbHash: later.thumbHash,
    });
    if (later.thumbnailUrl) expect((await get(later.thumbnailUrl)).status).toBe(200);
    expect(await incoming()).toEqual([]);
  });

  test("allows deleting a video while its poster is drawn", async () => {
    const before = await stored();
    const logErrors = vi.spyOn(tandem.services.log, "error");
    const { post } = await ada.createPost({ title: "Weaving", video });
    await ada.deletePost({ id: post.id });
    expect(await stored()).toEqual(before);
    expect(logErrors).not.toHaveBeenCalled();
    logErrors.mockRestore();
  });

  once("uses the uploaded thumbnail as the video's poster", async () => {
    const { post } = await ada.createPost({ title: "Weaving", video, thumbnail: picture });
    expect(post).toMatchObject({ mediaType: "video", mediaState: "ready" });
    expect((await sharp(await bytesAt(post.thumbnailUrl)).metadata()).width).toBe(720);
  });

  once("marks the pictures of AI-generated posts in their metadata", async () => {
    const agent = await tandem.as.agent(ada);
    const { post } = await agent.createPost({ title: "Drawn", image: picture });
    expect(post.provenance).toBe("ai_generated");
    for (const address of [post.mediaUrl, post.thumbnailUrl])
      expect((await bytesAt(address)).toString("latin1")).toContain("trainedAlgorithmicMedia");
    const human = await ada.createPost({ title: "Painted", image: picture });
    expect((await bytesAt(human.post.mediaUrl)).toString("latin1")).not.toContain("AlgorithmicMedia");
  });

  once("marks the files of a person's post once a key has edited it, and avatars by keys", async () => {
    const { post } = await ada.createPost({ title: "By hand", image: picture });
    const { post: film } = await ada.createPost({ title: "A film", video, thumbnail: picture });
    const key = await tandem.as.key(["posts:write", "profile:write"], ada);
    await tandem.services.afterResponse.idle();
    const before = await stored();
    for (const { id } of [post, film]) await key.editPost({ id, title: "Rewritten" });
    await tandem.services.afterResponse.idle();
    const mark = "digitalsourcetype/trainedAlgorithmicMedia";
    for (const old of [post, film]) {
      const { mediaUrl, thumbnailUrl, ...edited } = (await ada.readPost({ id: old.id })).post;
      expect(edited).toMatchObject({ provenance: "ai_generated", mediaState: "ready", width: old.width });
      for (const address of [mediaUrl, thumbnailUrl])
        expect((await bytesAt(address)).toString("latin1")).toContain(mark);
      expect([mediaUrl, thumbnailUrl]).not.toContain(old.mediaUrl);
      await tandem.services.afterResponse.idle();
    }
    await deleteOrphans(tandem.services);
    const after = await stored();
    expect(after).toHaveLength(before.length);
    expect((await get(post.mediaUrl)).status).toBe(404);
    const again = await key.editPost({ id: post.id, title: "Once more" });
    expect(await stored()).toEqual(after);
    expect((await ada.readPost({ id: post.id })).post).toEqual(again.post);
    const { user } = await key.setAvatar({ image: picture });
    expect(user.aiGeneratedFields).toEqual(["avatarUrl"]);
    expect((await bytesAt(user.avatarUrl)).toString("latin1")).toContain(mark);
    const own = (await ada.setAvatar({ image: picture })).user;
    expect(own.aiGeneratedFields).toEqual([]);
    expect((await bytesAt(own.avatarUrl)).toString("latin1")).not.toContain(mark);
  });

  test("deletes a post's files with it, but not those of other posts", async () => {
    const mine = (await ada.createPost({ title: "Mine", image: picture })).post;
    const before = await stored();
    const bob = await tandem.as.human();
    const same = (await bob.createPost({ title: "The same", image: picture })).post;
    expect(same.mediaUrl).not.toBe(mine.mediaUrl);
    expect((await stored()).length).toBe(before.length + 2);
    await bob.deletePost({ id: same.id });
    expect(await stored()).toEqual(before);
    expect((await rows()).map(({ name }) => name)).toEqual(before);
    for (const address of [same.mediaUrl, same.thumbnailUrl]) expect((await get(address)).status).toBe(404);
    expect((await get(mine.mediaUrl)).status).toBe(200);
  });

  test("deletes an account's files with it", async () => {
    const before = await stored();
    const agent = await tandem.as.agent(ada);
    await agent.createPost({ title: "Its own", image: picture });
    const { user } = await agent.setAvatar({ image: picture });
    expect((await stored()).length).toBe(before.length + 3);
    await ada.deleteAgent({ id: agent.agent.id });
    expect(await stored()).toEqual(before);
    expect((await get(user.avatarUrl)).status).toBe(404);
  });

  once("stores avatars as squares, shows them with each post and replaces the previous one", async () => {
    const { post } = await ada.createPost({ title: 'Says ,"authorAvatarUrl":null, of itself' });
    const first = (await ada.setAvatar({ image: picture })).user;
    expect((await ada.me()).user).toEqual(first);
    expect(await sharp(await bytesAt(first.avatarUrl)).metadata()).toMatchObject({ width: 512, height: 512 });
    const second = (await ada.setAvatar({ image: picture })).user;
    await tandem.services.afterResponse.idle();
    expect((await get(first.avatarUrl)).status).toBe(404);
    expect((await ada.readPost({ id: post.id })).post).toEqual({
      ...post,
      authorAvatarUrl: second.avatarUrl,
    });
    expect((await ada.createPost({ title: "Next" })).post.authorAvatarUrl).toBe(second.avatarUrl);
  });

  once("stores banners as strips, apart from the avatar, until they are replaced or deleted", async () => {
    const { avatarUrl } = (await ada.setAvatar({ image: picture })).user;
    const first = (await ada.setBanner({ image: picture })).user;
    expect(first).toMatchObject({ avatarUrl, aiGeneratedFields: [] });
    const { width = 0, height } = await sharp(await bytesAt(first.bannerUrl)).metadata();
    expect(width).toBe(Number(height) * 3);
    const key = await tandem.as.key(undefined, ada);
    const second = (await key.setBanner({ image: picture })).user;
    expect(second.aiGeneratedFields).toEqual(["bannerUrl"]);
    const bytes = (await bytesAt(second.bannerUrl)).toString("latin1");
    expect(bytes).toContain("digitalsourcetype/trainedAlgorithmicMedia");
    await tandem.services.afterResponse.idle();
    const shown = { platform: "native", author: ada.user.username } as const;
    const { creator } = await ada.readCreator(shown);
    expect(creator).toMatchObject({ bannerUrl: second.bannerUrl, aiGeneratedFields: ["bannerUrl"] });
    expect((await ada.deleteBanner()).user).toMatchObject({
      avatarUrl,
      bannerUrl: null,
      aiGeneratedFields: [],
    });
    await tandem.services.afterResponse.idle();
    const addresses = [first.bannerUrl, second.bannerUrl, avatarUrl];
    expect(await Promise.all(addresses.map(async (url) => (await get(url)).status))).toEqual([404, 404, 200]);
  });

  test("posts created during avatar changes show the last avatar", async () => {
    const colours = ["#f00", "#0f0", "#00f", "#ff0"];
    const pictures = await Promise.all(
      colours.map((background) =>
        sharp({ create: { width: 40, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    let finished = false;
    const posters = Array.from({ length: 4 }, async () => {
      while (!finished) await ada.createPost({ title: "Meanwhile" });
    });
    for (const bytes of pictures) await ada.setAvatar({ image: blob(bytes) });
    finished = true;
    await Promise.all(posters);
    const { avatarUrl } = (await ada.me()).user;
    const { posts } = await ada.listPosts({ author: ada.user.username, limit: 50 });
    expect(new Set(posts.map((post) => post.authorAvatarUrl))).toEqual(new Set([avatarUrl]));
  });

  if (runsOnceTests(engine))
    test("normalizes line endings in forms as in JSON", async () => {
      const body = "One\nTwo\r\nThree";
      const { post } = await ada.createPost({ title: "Lines", body, image: picture });
      expect(post.body).toBe("One\nTwo\nThree");
    });

  if (runsOnceTests(engine))
    test("rejects a picture that is also another file type, and leaves no files", async () => {
      const before = await stored();
      const page = "<!doctype html><script>alert(1)</script>";
      const drawing = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(2)'/>";
      for (const hidden of [page, drawing])
        for (const [name, fields] of [
          ["createPost", { title: "Two in one" }],
          ["setAvatar", {}],
        ] as const) {
          const refused = await ada.call(name, { ...fields, image: new Blob([picture, hidden]) });
          expect([refused.status, refused.body.code, refused.body.field]).toEqual([
            400,
            "invalid_input",
            "image",
          ]);
        }
      const thumbnail = new Blob([picture, page]);
      const refused = await ada.call("createPost", { title: "Two in one", video, thumbnail });
      expect([refused.status, refused.body.field]).toEqual([400, "thumbnail"]);
      expect(await stored()).toEqual(before);
      expect(await incoming()).toEqual([]);
    });

  if (runsOnceTests(engine))
    test("doesn't serve data appended to a picture", async () => {
      const { post } = await ada.createPost({
        title: "And more",
        image: new Blob([picture, "PK and a film"]),
      });
      for (const address of [post.mediaUrl, post.thumbnailUrl]) {
        expect((await bytesAt(address)).toString("latin1")).not.toContain("a film");
        expect((await get(address)).headers.get("content-type")).toBe("image/webp");
      }
    });

  if (runsOnceTests(engine))
    test("rejects a small file that decodes into a huge picture", async () => {
      const strip = { width: 100_000, height: 2, channels: 3 as const, background: "red" };
      const image = blob(await sharp({ create: strip, limitInputPixels: false }).png().toBuffer());
      for (const [name, fields] of [
        ["createPost", { title: "Wide" }],
        ["setAvatar", {}],
      ] as const)
        expect((await ada.call(name, { ...fields, image })).body).toMatchObject({
          code: "invalid_input",
          field: "image",
        });
    });

  if (runsOnceTests(engine))
    test("rejects a picture with too many frames", async () => {
      const image = blob(withFrames(await drawPicture({ type: "webp" }), 20_000));
      expect((await ada.call("createPost", { title: "Wild", image })).body).toMatchObject({
        code: "invalid_input",
        field: "image",
      });
    });

  test.each(["jpeg", "png", "webp"] as const)(
    "offers the original of a %s with content credentials",
    async (type) => {
      const sent = withManifest(type, await drawPicture({ type }));
      const { post } = await ada.createPost({ title: "Signed", image: blob(sent) });
      expect((await bytesAt(post.originalUrl)).equals(sent)).toBe(true);
      for (const address of [post.originalUrl, post.mediaUrl])
        expect((await get(address)).headers.get("content-disposition")).toBe(
          address === post.originalUrl ? "attachment" : null,
        );
      await ada.deletePost({ id: post.id });
      await stored();
      expect((await get(post.originalUrl)).status).toBe(404);
    },
  );

  test("rejected uploads and dry runs leave no files", async () => {
    const [files, names] = [await stored(), await rows()];
    const image = picture;
    expect((await ada.call("createPost", { title: "Dry", image }, { dryRun: true })).body.dryRun).toBe(true);
    expect((await ada.call("createPost", { title: "Not mine", image, productIds: [987] })).status).toBe(404);
    expect((await ada.call("createPost", { title: "", image })).body.field).toBe("title");
    expect((await ada.call("setAvatar", { image }, { dryRun: true })).status).toBe(200);
    expect(await stored()).toEqual(files);
    expect(await rows()).toEqual(names);
    expect(await incoming()).toEqual([]);
  });

  once("doesn't process files of calls that will be rejected anyway", async () => {
    await using strict = await startTandem(engine, { store, env: { LIMIT_TIERS_PROBATION_WRITES: "1" } });
    const key = await strict.as.key();
    await key.setAvatar({ image: picture });
    // The header is valid: only processing the file would reveal that it is truncated.
    const image = picture.slice(0, picture.size - 1000);
    for (const name of ["createPost", "setAvatar"] as const)
      expect((await key.call(name, { title: "Too much", image })).body.code).toBe("rate_limited");
    const missing = { title: "x", image, productIds: [987] };
    expect((await (await strict.as.key()).call("createPost", missing)).body.code).toBe("not_found");
  });

  test("replays an upload repeated with its Idempotency-Key, and rejects another file with it", async () => {
    const call = (image: Blob) =>
      ada.call("createPost", { title: "Once", image }, { idempotencyKey: "an upload" });
    const first = await call(picture);
    const files = await stored();
    const again = await call(picture);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await call(blob(await drawPicture()))).body.code).toBe("idempotency_mismatch");
    expect(await stored()).toEqual(files);
  });
});
