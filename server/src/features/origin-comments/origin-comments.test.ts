import { readFileSync } from "node:fs";
import { MINUTE } from "@tandem/contract/durations";
import type { OriginPlatform } from "@tandem/contract/origins";
import { type ImportSetup, startImports } from "@tandem/testing/import-setup";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { Origin } from "@tandem/testing/origin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const thread = readFileSync(new URL("../../origins/threads/fixtures/lemmy.json", import.meta.url), "utf8");

describe("comments at the origin", () => {
  let world: ImportSetup;
  beforeAll(async () => {
    world = await startImports("sqlite");
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const imported = (url: string, platform: OriginPlatform = "lemmy") =>
    world.tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform, title: "Afar", origin: { url, score: 1, commentCount: 3 } }),
    );
  const requestsOf = (post: number) =>
    world.origin.requests.filter(({ path }) => path.includes(`post_id=${post}&`)).length;
  const pathOf = (post: number) =>
    `/api/v3/comment/list?post_id=${post}&limit=50&max_depth=8&sort=Hot&type_=All`;
  const show = (post: number, status = 200) => {
    world.origin.show(pathOf(post), { status, body: thread });
    return imported(`${world.origin.url}/post/${post}`);
  };

  test("are read from there, once in ten minutes however many ask", async () => {
    const id = await show(1);
    const reader = world.tandem.as.anonymous();
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => reader.listOriginComments({ id })));
    expect(first).toMatchObject({
      comments: [
        { author: "mary@other.example", body: "Well *said*.", score: 5, depth: 0, hidden: false },
        { body: "Why?", depth: 1 },
        { author: "summary@lemmy.example", provenance: "ai_generated", body: "I am a bot.", hidden: false },
      ],
      isReadable: true,
      more: `${world.origin.url}/post/1`,
    });
    expect(others).toEqual([first, first]);
    world.clock.now += 9 * MINUTE;
    expect(await reader.listOriginComments({ id })).toEqual(first);
    expect(requestsOf(1)).toBe(1);
    world.clock.now += 2 * MINUTE;
    await reader.listOriginComments({ id });
    expect(requestsOf(1)).toBe(2);
    const hiding = await reader.listOriginComments({ id, ai: "hide" });
    expect(hiding.comments.at(-1)).toMatchObject({ author: "summary@lemmy.example", body: "", hidden: true });
    expect(await reader.listComments({ id })).toMatchObject({ comments: [] });
  });

  test("don't let one slow host keep others out, nor readers of what is known", async () => {
    const reader = world.tandem.as.anonymous();
    await using other = await Origin.start("127.0.0.2");
    const known = await show(10);
    await reader.listOriginComments({ id: known });
    const held: (() => void)[] = [];
    let isSlow = true;
    const slow = await Promise.all(
      [11, 12, 13, 14, 15].map(async (post) => {
        const id = await show(post);
        world.origin.show(pathOf(post), (_request, response) => {
          const respond = () => void response.end(thread);
          if (isSlow) held.push(respond);
          else respond();
        });
        return id;
      }),
    );
    const reads = slow.map((id) => reader.call("listOriginComments", { id }));
    const refused = await Promise.race(reads);
    expect(refused).toMatchObject({ status: 424, body: { code: "origin_unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await reader.listOriginComments({ id: known })).comments).toHaveLength(3);
    other.show(pathOf(20), { body: thread });
    const elsewhere = await imported(`http://127.0.0.2:${other.port}/post/20`);
    expect((await reader.listOriginComments({ id: elsewhere })).comments).toHaveLength(3);
    await expect.poll(() => held.length).toBe(1);
    isSlow = false;
    for (const respond of held) respond();
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 424]);
  });

  test("that can't be read are an error that says so, and that isn't asked for again at once", async () => {
    const reader = world.tandem.as.anonymous();
    const id = await show(2, 403);
    for (let i = 0; i < 2; i++) {
      const { status, body, headers } = await reader.call("listOriginComments", { id });
      expect([status, body.code, headers.get("retry-after")]).toEqual([424, "origin_unavailable", "60"]);
    }
    expect(requestsOf(2)).toBe(1);
    show(2);
    world.clock.now += 2 * MINUTE;
    expect((await reader.listOriginComments({ id })).comments).toHaveLength(3);
    const elsewhere = await imported("http://10.0.0.1/post/3");
    expect((await reader.call("listOriginComments", { id: elsewhere })).status).toBe(424);
  });

  test("don't exist for posts made here, and aren't read from platforms without them", async () => {
    const { post } = await world.admin.createPost({ title: "Made here" });
    const nothing = { comments: [], isReadable: false, more: null };
    const reader = world.tandem.as.anonymous();
    expect(await reader.listOriginComments({ id: post.id })).toEqual(nothing);
    const more = "https://www.youtube.com/watch?v=abcdefghijk";
    const id = await imported(more, "youtube");
    expect(await reader.listOriginComments({ id })).toEqual({ ...nothing, more });
    expect((await reader.call("listOriginComments", { id: 999_999 })).status).toBe(404);
  });
});
