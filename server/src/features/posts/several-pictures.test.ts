import { readFile } from "node:fs/promises";
import { checkReceipt } from "@tandem/client/check-receipt";
import { limits } from "@tandem/contract/limits";
import type { Post } from "@tandem/contract/post-resources";
import type { Person } from "@tandem/testing/callers";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { drawPicture, withManifest } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeVideo } from "@tandem/testing/videos";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteOrphans } from "../../media/delete-orphans.ts";

const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);
const fixture = async (name: string) =>
  blob(await readFile(new URL(`../../media/fixtures/${name}`, import.meta.url)));

describe("a post with several pictures", () => {
  let tandem: Tandem;
  let ada: Person;
  let pictures: Blob[];
  beforeAll(async () => {
    tandem = await startTandem();
    pictures = [
      blob(await drawPicture({ width: 900, height: 600, withLocation: true })),
      blob(withManifest("png", await drawPicture({ type: "png" }))),
      blob(await drawPicture({ type: "webp", width: 30, height: 40 })),
    ];
  });
  beforeEach(async () => {
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  const bytesAt = async (address: string) =>
    Buffer.from(await (await fetch(new URL(address, tandem.baseUrl))).arrayBuffer());
  const statusAt = async (address: string) => (await fetch(new URL(address, tandem.baseUrl))).status;
  const isMarked = async (address: string) =>
    (await bytesAt(address)).toString("latin1").includes("digitalsourcetype/trainedAlgorithmicMedia");
  const filesOf = ({ pictures: shown = [] }: Post) =>
    shown.flatMap(({ url, thumbnailUrl, originalUrl }) => [
      ...new Set([url, thumbnailUrl ?? url]),
      ...(originalUrl ? [originalUrl] : []),
    ]);
  const stored = async () => {
    await tandem.services.afterResponse.idle();
    const names: string[] = [];
    for await (const { name } of tandem.services.media.store.list()) names.push(`/media/${name}`);
    return names.sort();
  };
  const altsOf = ({ alt, pictures: shown = [] }: Post) => [alt, ...shown.map((picture) => picture.alt)];
  const receiptOf = ({ id }: Post) => checkReceipt({ baseUrl: tandem.baseUrl, postId: id, commentId: null });

  test("shows each as a post with one shows it, and deletes all with it", async () => {
    const before = await stored();
    const alts = ["A loom", "", "Its cards"];
    const { post } = await ada.createPost({ title: "A loom", image: pictures, alts });
    const [first, second] = post.pictures ?? [];
    const { mediaUrl: url, thumbnailUrl, thumbHash, width, height } = post;
    expect(first).toEqual({ url, thumbnailUrl, thumbHash, width, height, alt: "A loom" });
    expect(post).toMatchObject({ mediaType: "image", width: 900, alt: "A loom", originalUrl: null });
    expect(post.pictures).toMatchObject([
      { height: 600, alt: "A loom" },
      { width: 64, alt: null, originalUrl: expect.stringContaining(".original.png") },
      { width: 30, height: 40, alt: "Its cards" },
    ]);
    expect((await tandem.as.anonymous().listPosts({ limit: 1 })).posts).toEqual([post]);
    for (const { url, width } of post.pictures ?? [])
      expect(await sharp(await bytesAt(url)).metadata()).toMatchObject({ format: "webp", width });
    expect((await sharp(await bytesAt(first?.url ?? "")).metadata()).exif).toBeUndefined();
    expect(await bytesAt(second?.originalUrl ?? "")).toEqual(
      Buffer.from(await (pictures[1] as Blob).arrayBuffer()),
    );
    expect(await stored()).toEqual([...before, ...filesOf(post)].sort());
    await ada.deletePost({ id: post.id });
    expect(await stored()).toEqual(before);
  });

  test("is marked as AI content if any of its files says so, and so are its other files", async () => {
    const image = [pictures[0] as Blob, await fixture("generated.jpg")];
    const { post } = await ada.createPost({ title: "A mix", image });
    expect(post).toMatchObject({ provenance: "ai_generated", provenanceBasis: "declared" });
    expect(await Promise.all(filesOf(post).map(isMarked))).toEqual(filesOf(post).map(() => true));
  });

  test("keeps its pictures in edits, which change the descriptions that they name", async () => {
    const { post } = await ada.createPost({ title: "A loom", image: pictures, alt: "One" });
    const { id } = post;
    const edit = async (input: object) => (await ada.editPost({ id, ...input })).post;
    expect(altsOf(post)).toEqual(["One", "One", null, null]);
    expect(altsOf(await edit({ alts: ["1", "2"] }))).toEqual(["1", "1", "2", null]);
    expect(altsOf(await edit({ alt: "First" }))).toEqual(["First", "First", "2", null]);
    const { pictures: shown, ...edited } = await edit({ title: "Looms", alts: ["First", null, "3"] });
    expect(shown?.map(({ url }) => url)).toEqual(post.pictures?.map(({ url }) => url));
    expect(await receiptOf(post)).toMatchObject({ ok: true, results: { text: "passed", media: "passed" } });
    const { versions } = await ada.listPostVersions({ id });
    expect(versions.map(({ alts }) => alts)).toEqual([
      ["First", null, "3"],
      ["First", "2", null],
      ["1", "2", null],
      ["One", null, null],
    ]);
    // The same again is no edit.
    expect(await edit({ alts: ["First", "", "3"] })).toEqual({ pictures: shown, ...edited });
    expect(altsOf(await edit({ alts: null }))).toEqual([null, null, null, null]);
    expect((await ada.call("editPost", { id, alts: ["", "", "", "4"] })).body).toMatchObject({
      code: "invalid_input",
      field: "alts",
    });
  });

  test("has receipts that cover each picture, also once a key's edit has marked the files", async () => {
    const { post } = await ada.createPost({ title: "By hand", image: pictures, alts: ["", "", "Cards"] });
    const key = await tandem.as.key(["posts:write"], ada);
    await key.editPost({ id: post.id, body: "Rewritten" });
    await tandem.services.afterResponse.idle();
    const marked = (await ada.readPost({ id: post.id })).post;
    const shown = marked.pictures ?? [];
    expect(shown.map(({ alt }) => alt)).toEqual([null, null, "Cards"]);
    const files = shown.flatMap(({ url, thumbnailUrl }) => [url, thumbnailUrl ?? url]);
    expect(files).not.toContain(post.pictures?.[2]?.url);
    expect(await Promise.all(files.map(isMarked))).toEqual(files.map(() => true));
    expect(shown[0]).toMatchObject({ url: marked.mediaUrl, thumbnailUrl: marked.thumbnailUrl });
    expect(await receiptOf(post)).toMatchObject({ ok: true });
    // Another picture in place of the last, or another description of it, is found out.
    const forge = (change: object) =>
      checkReceipt(
        { baseUrl: tandem.baseUrl, postId: post.id, commentId: null },
        {
          fetch: async (input, init) => {
            const response = await fetch(input, init);
            const isPost = String(input).endsWith(`/api/posts/${post.id}`);
            if (!isPost) return response;
            const forged = { ...marked, pictures: [shown[0], shown[1], { ...shown[2], ...change }] };
            return Response.json({ post: forged });
          },
        },
      );
    expect(await forge({})).toMatchObject({ ok: true });
    expect((await forge({ url: shown[0]?.url })).results).toMatchObject({ media: "failed" });
    expect((await forge({ alt: "Other" })).results).toMatchObject({ text: "failed", media: "passed" });
  });

  test("is refused as a whole, with the number of the picture", async () => {
    const before = await stored();
    const [image = new Blob()] = pictures;
    const refusal = async (input: object) => {
      const { status, body } = await ada.call("createPost", { title: "No", ...input });
      return [status, body.code, body.field, body.error];
    };
    const many = Array.from({ length: limits.picturesPerPost + 1 }, () => image);
    expect(await refusal({ image: many })).toEqual([
      400,
      "invalid_input",
      "image",
      "image can be sent at most 10 times.",
    ]);
    const text = new Blob(["no picture"]);
    const damaged = image.slice(0, 1200);
    const large = new Blob([image, new Uint8Array(limits.imageBytes)]);
    for (const [code, wrong] of [
      ["invalid_input", text],
      ["invalid_input", damaged],
      ["file_too_large", large],
    ] as const)
      expect(await refusal({ image: [image, wrong] })).toEqual([
        400,
        code,
        "image",
        expect.stringMatching(/^image 2\b/),
      ]);
    for (const input of [
      { image, alts: ["a", "b"] },
      { image: pictures, alt: "a", alts: ["b"] },
      { alts: ["a"] },
      { video: blob(await makeVideo()), alts: ["a"] },
    ])
      expect((await refusal(input)).slice(1, 3)).toEqual(["invalid_input", "alts"]);
    expect((await refusal({ image: pictures, productIds: [987] }))[0]).toBe(404);
    const dry = await ada.call("createPost", { title: "Dry", image: pictures }, { dryRun: true });
    expect(dry.body.post).toMatchObject({ pictures: [{}, {}, {}] });
    expect(await stored()).toEqual(before);
  });

  test("has no pictures if there is a video, which wins", async () => {
    const input = { title: "A film", video: blob(await makeVideo()), image: pictures, alts: ["A loom"] };
    const { post } = await ada.createPost(input);
    expect(post).toMatchObject({ mediaType: "video", alt: null });
    expect(post).not.toHaveProperty("pictures");
  });

  test("waits for approval with all its pictures, whose descriptions can be edited meanwhile", async () => {
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
    const single = await pendingDraft(agent.createPost({ title: "Loom", image: pictures[0], alts: ["One"] }));
    const { drafts } = await ada.listDrafts({});
    expect(drafts.find((one) => one.id === single)).toMatchObject({ alt: "One" });
    await ada.deleteDraft({ id: single });
    // Files that were replaced by marked ones are deleted later.
    await deleteOrphans(tandem.services);
    const before = await stored();
    const submit = () =>
      pendingDraft(agent.createPost({ title: "Looms", image: pictures, alts: ["1", "2"] }));
    const id = await submit();
    const { draft } = await ada.editDraft({ id, alts: [null, "Two"] });
    expect(draft).toMatchObject({
      alts: [null, "Two"],
      pictures: [{ alt: null }, { alt: "Two" }, { alt: null }],
    });
    expect((await ada.editDraft({ id, alt: "One" })).draft.alts).toEqual(["One", "Two"]);
    const refused = await ada.call("editDraft", { id, alts: ["", "", "", "4"] });
    expect(refused.body).toMatchObject({ code: "invalid_input", field: "alts" });
    const { postId } = await ada.approveDraft({ id });
    const { post } = await ada.readPost({ id: Number(postId) });
    expect(altsOf(post)).toEqual(["One", "One", "Two", null]);
    expect(post.pictures?.map(({ url }) => url)).toEqual(draft.pictures?.map(({ url }) => url));

    const editId = await pendingDraft(agent.editPost({ id: post.id, alts: ["Ein"] }));
    const [edit] = (await ada.listDrafts()).drafts;
    expect(edit).toMatchObject({ changes: ["alts"], alts: ["Ein"], before: { alts: ["One", "Two", null] } });
    await ada.approveDraft({ id: editId });
    expect(altsOf((await ada.readPost({ id: post.id })).post)).toEqual(["Ein", "Ein", "Two", null]);
    await ada.deleteDraft({ id: await submit() });
    expect(await stored()).toEqual([...before, ...filesOf(post)].sort());
    expect(await Promise.all(filesOf(post).map(statusAt))).toEqual(filesOf(post).map(() => 200));
  });

  test("isn't what a video is: its description stays, whatever alts an edit of its draft has", async () => {
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
    const id = await pendingDraft(
      agent.createPost({ title: "A film", video: blob(await makeVideo()), alt: "A shuttle" }),
    );
    for (const alts of [[], null, [""]])
      expect((await ada.editDraft({ id, alts })).draft).toMatchObject({ alt: "A shuttle" });
    const { postId } = await ada.approveDraft({ id });
    expect((await ada.readPost({ id: Number(postId) })).post.alt).toBe("A shuttle");
    // The same in an edit of it, which says nothing about its medium.
    const editId = await pendingDraft(agent.editPost({ id: Number(postId), alt: "Two shuttles" }));
    await ada.editDraft({ id: editId, alts: [] });
    await ada.approveDraft({ id: editId });
    expect((await ada.readPost({ id: Number(postId) })).post.alt).toBe("Two shuttles");
  });

  test("is in feeds and pages with each picture, and hidden by what its readers mute in any description", async () => {
    const { post } = await ada.createPost({ title: "Looms", image: pictures, alts: ["One", "", "Shuttle"] });
    const read = async (path: string, accept = "*/*") =>
      (await fetch(`${tandem.baseUrl}${path}`, { headers: { accept } })).text();
    const texts = [
      await read(`/posts/${post.id}`, "text/markdown"),
      await read("/feed.rss"),
      await read("/feed.atom"),
      await read("/feed.json"),
    ];
    for (const text of texts)
      for (const { url } of post.pictures ?? []) expect(text).toContain(`${tandem.baseUrl}${url}`);
    const { items } = JSON.parse(texts[3] as string);
    expect(items[0].attachments).toMatchObject([{ mime_type: "image/webp" }, {}, {}]);
    const bob = await tandem.as.human();
    const latest = async () => (await bob.listPosts()).posts[0]?.id;
    expect(await latest()).toBe(post.id);
    await bob.mute({ word: "shuttle" });
    expect(await latest()).toBeLessThan(post.id);
  });
});
