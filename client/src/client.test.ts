import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ErrorCode } from "@tandem/contract/errors";
import type { Comment, Post } from "@tandem/contract/post-resources";
import { drawPicture } from "@tandem/testing/pictures";
import { freePort } from "@tandem/testing/ports";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type Client, createClient } from "./create-client.ts";
import { outcome, TandemError } from "./tandem-error.ts";
import type { Upload } from "./uploads.ts";

describe("a client", () => {
  let tandem: Tandem;
  let client: Client;
  const ids: number[] = [];
  beforeAll(async () => {
    tandem = await startTandem();
    const { options } = await tandem.as.agent();
    client = createClient({ baseUrl: tandem.baseUrl, key: options.key ?? "" });
    for (let i = 0; i < 13; i++) ids.unshift((await client.createPost({ title: `Loom ${i}` })).post.id);
  });
  afterAll(() => tandem.stop());

  test("iterates over all pages, yields each item once, and stops at max", async () => {
    const size = fc.integer({ min: 1, max: 15 });
    await fc.assert(
      fc.asyncProperty(size, fc.option(size, { nil: undefined }), async (limit, max) => {
        const seenIds: number[] = [];
        for await (const { id } of client.pages.listPosts({ limit }, max === undefined ? {} : { max }))
          seenIds.push(id);
        expect(seenIds).toEqual(ids.slice(0, max));
      }),
      { numRuns: 25 },
    );
  });

  test("fetches a page only when it is needed", async () => {
    let requests = 0;
    const counted = createClient({
      baseUrl: tandem.baseUrl,
      fetch: (url, init) => {
        requests += 1;
        return fetch(url, init);
      },
    });
    const walk = counted.pages.listPosts({ limit: 5 });
    expect(requests).toBe(0);
    for await (const { id } of walk) if (id === ids[6]) break;
    expect(requests).toBe(2);
    const few: unknown[] = [];
    for await (const post of counted.pages.listPosts({ limit: 5 }, { max: 5 })) few.push(post);
    expect([few.length, requests]).toEqual([5, 3]);
    const none: unknown[] = [];
    for await (const post of counted.pages.listPosts({}, { max: 0 })) none.push(post);
    expect([none, requests]).toEqual([[], 3]);
  });

  test("doesn't yield a post twice if its rank changes between pages", async () => {
    const seenIds: number[] = [];
    for await (const { id } of client.pages.listPosts({ sort: "hot", limit: 4 })) {
      seenIds.push(id);
      // The last post becomes the first, which moves another one to the next page.
      if (seenIds.length === 4) await client.likePost({ id: Number(ids.at(-1)) });
    }
    expect(new Set(seenIds).size).toBe(seenIds.length);
  });

  test("returns only the requested fields, also in the type", async () => {
    const titles: (string | null)[] = [];
    for await (const post of client.pages.listPosts({ fields: "title,id", limit: 7 })) {
      expectTypeOf(post).toEqualTypeOf<Pick<Post, "id" | "title">>();
      titles.push(post.title);
      expect(Object.keys(post)).toEqual(["id", "title"]);
    }
    expect(titles.length).toBe(13);
    const { topPosts, totals } = await client.analytics({ fields: "viewCount" });
    expectTypeOf(topPosts).toEqualTypeOf<{ viewCount: number }[]>();
    expect([topPosts[0], totals.posts]).toEqual([{ viewCount: 0 }, 13]);
    const any = "unread" as string;
    const wrong = await outcome(client.analytics({ fields: any }));
    expect(wrong).toMatchObject({ ok: false, error: { code: "invalid_input", field: "fields" } });
  });

  test.each([".", ".."])("rejects %s as an id, which would address another path", async (id) => {
    await expect(client.readPost({ id: id as never })).rejects.toThrow(TypeError);
  });

  test("rejects calls without what the path needs", async () => {
    await expect(client.readPost({ id: undefined as never })).rejects.toThrow("id is required");
    await expect(client.readPost(undefined as never)).rejects.toThrow("id is required");
  });

  test.each([undefined, "", "localhost:3000", "ftp://tandem.example"])(
    "can't be created with the address %s",
    (baseUrl) => {
      expect(() => createClient({ baseUrl: baseUrl as string })).toThrow(
        /^baseUrl .*https:\/\/tandem\.example/,
      );
    },
  );

  test("names the server that doesn't respond", async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const absent = createClient({ baseUrl, maxWait: 0 });
    expect(await absent.listPosts().catch((error: unknown) => error)).toMatchObject({
      message: `No response from ${baseUrl} (ECONNREFUSED).`,
      code: "unreachable",
      hint: expect.stringContaining("baseUrl"),
      requestId: null,
    });
  });

  test("has every operation that is about a noun in the noun's namespace too", async () => {
    expect(client.posts.create).toBe(client.createPost);
    expect(client.posts.listVersions).toBe(client.listPostVersions);
    expect(client.comments.list).toBe(client.listComments);
    expect(client.notifications.stream).toBe(client.notificationStream);
    expectTypeOf(client.keys.readOwn).toEqualTypeOf(client.readOwnKey);
    const { post } = await client.posts.read({ id: Number(ids[0]) });
    expect(post.id).toBe(ids[0]);
    // Two operations of the same short name would hide each other.
    for (const [noun, methods] of Object.entries(client)) {
      if (typeof methods === "function" || noun === "pages") continue;
      const named = new RegExp(`${noun.slice(0, -1)}`, "i");
      const members = Object.entries(client).filter(
        ([name, one]) => typeof one === "function" && named.test(name),
      );
      const values = Object.values(methods);
      for (const [name, method] of members)
        if (!values.includes(method))
          expect([noun, name]).toEqual([noun, expect.stringMatching(/passkey|reposts/i)]);
    }
  });

  test("tells the request's id, and what is left of the quotas", async () => {
    const { data, limits, requestId, status } = await client
      .createPost({ title: "With limits" })
      .withResponse();
    expect([data.post.title, status]).toEqual(["With limits", 200]);
    expect(requestId).toMatch(/\S/);
    const { limits: own, remaining } = await client.readOwnKey();
    const posts = limits.find(({ name }) => name === "posts");
    expect([posts?.limit, posts?.remaining]).toEqual([own.posts, remaining.posts]);
    expect(posts).toMatchObject({ window: expect.any(Number), reset: expect.any(Number) });
    const failed = await client
      .readPost({ id: 0 })
      .withResponse()
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "invalid_input", requestId: expect.stringMatching(/\S/) });
    ids.unshift(data.post.id);
    await client.deletePost({ id: Number(ids.shift()) });
  });

  test("throws errors with all details, or returns them as values", async () => {
    const error = await client.readPost({ id: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TandemError);
    expect(error).toMatchObject({
      name: "TandemError",
      message: "id must be at least 1.",
      status: 400,
      code: "invalid_input",
      field: "id",
      hint: "id must be a whole number of 1 or more; for example 42.",
      docs: `${tandem.baseUrl}/errors/invalid_input`,
      retryAfter: undefined,
    });
    const found = await outcome(client.readPost({ id: Number(ids[0]) }));
    if (!found.ok) throw found.error;
    expect(found.response.post.id).toBe(ids[0]);
    const failure = await outcome(client.readPost({ id: 999_999 }));
    if (failure.ok) throw new Error("expected an error");
    expectTypeOf(failure.error.code).toEqualTypeOf<ErrorCode | "unreachable" | "pending_approval">();
    expect(failure.error.code).toBe("not_found");
    const stop = AbortSignal.abort(new Error("enough"));
    await expect(outcome(client.me({}, { signal: stop }))).rejects.toThrow("enough");
  });

  test("sends files from a path, a Blob or a stream, and rejects one that is too large", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-client-"));
    try {
      const bytes = await drawPicture();
      const path = join(folder, "picture.png");
      await writeFile(path, bytes);
      const blob = new Blob([new Uint8Array(bytes)]);
      const uploads: Upload[] = [{ path }, blob, blob.stream(), Readable.from([bytes])];
      for (const image of uploads)
        expect((await client.createPost({ title: "A picture", image })).post.mediaType).toBe("image");
      await expect(client.setAvatar({ image: { path: join(folder, "none.png") } })).rejects.toThrow(
        /^image: can't read the file ".*none\.png"$/,
      );
      const large = await outcome(client.setAvatar({ image: endless() }));
      expect(large).toMatchObject({
        ok: false,
        error: { status: 400, code: "file_too_large", field: "image" },
      });
      // A value that isn't a file is an error, rather than being left out.
      for (const image of [path, "", bytes] as unknown as Upload[])
        await expect(client.createPost({ title: "None", image })).rejects.toThrow("image must be a Blob");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("a stream", () => {
  /** Uploads a file and returns the content that was sent. */
  async function sent(image: Upload, signal = new AbortController().signal): Promise<string> {
    let content = "";
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      if (init?.body instanceof FormData) content = await new Response(init.body.get("image")).text();
      return Response.json({});
    };
    await createClient({ baseUrl: "http://tandem.example", fetch }).setAvatar({ image }, { signal });
    return content;
  }

  test("of a part of a file sends that part, as bytes or as text", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-client-"));
    try {
      const path = join(folder, "digits");
      await writeFile(path, "0123456789");
      expect(await sent({ path })).toBe("0123456789");
      expect(await sent(createReadStream(path, { start: 2, end: 4 }))).toBe("234");
      expect(await sent(createReadStream(path, { start: 5, encoding: "utf8" }))).toBe("56789");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("that stalls ends when the call is aborted", async () => {
    const stop = new AbortController();
    const stalled = new ReadableStream({ pull: () => stop.abort(new Error("enough")) });
    await expect(sent(stalled, stop.signal)).rejects.toThrow("enough");
    await expect(sent(stalled, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  });
});

test.each([
  ["the same cursor again", [7, 7]],
  ["cyclic cursors", [7, 8, 7]],
  ["no cursor", [undefined]],
])("iteration ends if a page has %s", async (_what, cursors) => {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async () => {
    if (requests === cursors.length) throw new Error("too many requests");
    return Response.json({ posts: [{ id: requests }], nextCursor: cursors[requests++] });
  };
  const client = createClient({ baseUrl: "http://tandem.example", fetch, maxWait: 0 });
  const seenIds: number[] = [];
  for await (const { id } of client.pages.listPosts()) seenIds.push(id);
  expect(seenIds).toEqual([...cursors.keys()]);
});

/** A stream that never ends. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(2 ** 20)) });
}

test("only paged lists can be iterated, and items are typed", () => {
  expectTypeOf<keyof Client["pages"]>().toEqualTypeOf<
    | "listAccounts"
    | "listActivity"
    | "listAllInvitations"
    | "listAppeals"
    | "listAudit"
    | "listBlocks"
    | "listCases"
    | "listCommentVersions"
    | "listComments"
    | "listCommunities"
    | "listCommunityBans"
    | "listCommunityCases"
    | "listCommunityDecisions"
    | "listCommunityMembers"
    | "listConversations"
    | "listCreatorComments"
    | "listCreatorReposts"
    | "listDecisions"
    | "listDeliveries"
    | "listDrafts"
    | "listFollows"
    | "listFriends"
    | "listMessages"
    | "listMutes"
    | "listNotifications"
    | "listOwnComments"
    | "listPostVersions"
    | "listPosts"
    | "listProducts"
    | "listQuotes"
    | "listRepeatedPosts"
    | "listReports"
    | "listSignUps"
    | "listSources"
  >();
  const { pages } = createClient({ baseUrl: "http://tandem.example" });
  const lists = [
    "listAccounts",
    "listActivity",
    "listAllInvitations",
    "listAppeals",
    "listAudit",
    "listBlocks",
    "listCases",
    "listCommentVersions",
    "listComments",
    "listCommunities",
    "listCommunityBans",
    "listCommunityCases",
    "listCommunityDecisions",
    "listCommunityMembers",
    "listConversations",
    "listCreatorComments",
    "listCreatorReposts",
    "listDecisions",
    "listDeliveries",
    "listDrafts",
    "listFollows",
    "listFriends",
    "listMessages",
    "listMutes",
    "listNotifications",
    "listOwnComments",
    "listPostVersions",
    "listPosts",
    "listProducts",
    "listQuotes",
    "listRepeatedPosts",
    "listReports",
    "listSignUps",
    "listSources",
  ];
  expect(Object.keys(pages).sort()).toEqual(lists);
  expectTypeOf(pages.listComments({ id: 1 })).toEqualTypeOf<AsyncGenerator<Comment, void>>();
});
