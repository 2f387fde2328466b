import { type RawRequest, sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

type Sent = { method?: string; path: string; body?: unknown; form?: Record<string, string | Blob> };

describe("what an operation doesn't take", () => {
  let tandem: Tandem;
  let headers: Record<string, string>;
  let postId: number;
  let commentId: number;
  beforeAll(async () => {
    tandem = await startTandem();
    const agent = await tandem.as.agent();
    headers = { authorization: `Bearer ${agent.options.key}` };
    postId = (await agent.createPost({ title: "Looms" })).post.id;
    commentId = (await agent.createComment({ id: postId, body: "Well said." })).comment.id;
  });
  afterAll(() => tandem.stop());

  /** `200`, or the error's status, field and message. */
  async function outcomeOf({ method = "POST", path, body, form }: Sent): Promise<string> {
    const request: RawRequest = { method, path: path.replace("/1", `/${postId}`), headers };
    if (form) {
      const encoded = new Response(toForm(form));
      request.body = Buffer.from(await encoded.arrayBuffer());
      request.headers = { ...headers, "content-type": encoded.headers.get("content-type") ?? "" };
    } else if (body !== undefined) {
      request.body = typeof body === "string" ? body : JSON.stringify(body);
      request.headers = { ...headers, "content-type": "application/json" };
    }
    const response = await sendRequest(tandem.baseUrl, request);
    const { code, field, error } = response.body ?? {};
    if (response.status === 200) return "200";
    return `${response.status} ${code} ${field}: ${error}`;
  }

  test.each<[sent: Sent, message: string]>([
    [
      { path: "/api/posts/1/comments", body: { content: "Hi" } },
      "content: There is no field `content`; did you mean `body`? The body of POST /api/posts/{id}/comments takes `body`, `parentId`.",
    ],
    [
      { path: "/api/posts/1/comments", body: { body: "Hi", parent_id: 1 } },
      "parent_id: There is no field `parent_id`; did you mean `parentId`?",
    ],
    [
      { path: "/api/posts/1/comments", body: { body: "Hi", inReplyTo: 1 } },
      "inReplyTo: There is no field `inReplyTo`; did you mean `parentId`?",
    ],
    [
      { path: "/api/posts/1/like", body: { postId: 1 } },
      "postId: There is no field `postId`. The id goes into the path: `/api/posts/{id}/like`.",
    ],
    [
      { path: "/api/posts/1/comments", body: { comment: "Hi" } },
      "comment: There is no field `comment`; did you mean `body`?",
    ],
    [
      { path: "/api/posts", body: { title: "x", dryRun: true } },
      "dryRun: There is no field `dryRun`. For a dry run, add `?dryRun=1` to the address.",
    ],
    [
      { path: "/api/posts?dry_run=1", body: { title: "x" } },
      "dry_run: There is no query parameter `dry_run`; did you mean `dryRun`?",
    ],
    [
      { path: "/api/posts?title=x" },
      "title: There is no query parameter `title`. `title` goes into the body.",
    ],
    [
      { path: "/api/posts", body: { title: "x", draft: true } },
      "draft: There is no field `draft`. See POST /api/drafts.",
    ],
    [
      { path: "/api/posts", body: { title: "x", idempotency_key: "a" } },
      "idempotency_key: There is no field `idempotency_key`. Send it as the header `Idempotency-Key`.",
    ],
    [
      { path: "/api/webhooks", body: { events: ["comment"] } },
      "events: There is no field `events`; did you mean `types`?",
    ],
    [{ path: "/api/posts", body: { tilte: "x" } }, "tilte: There is no field `tilte`; did you mean `title`?"],
    [
      { path: "/api/posts", body: { nonsense: "x" } },
      "nonsense: There is no field `nonsense`. The body of POST /api/posts takes `title`, `body`,",
    ],
    [
      { path: "/api/posts", body: { title: "x", image: "https://a.example/b.png" } },
      "image: `image` is a file: send it as a part of multipart/form-data, with a file name.",
    ],
    [
      { path: "/api/posts", body: '{"title":"x","__proto__":1}' },
      "__proto__: There is no field `__proto__`.",
    ],
    [{ path: "/api/posts", body: { title: "x", toString: 1 } }, "toString: There is no field `toString`."],
    [
      { path: "/api/posts", body: { title: "x", ["x".repeat(500_000)]: 1 } },
      `${"x".repeat(100)}: There is no field \`${"x".repeat(100)}\`. The body`,
    ],
    [
      { path: "/api/posts/1/like", body: { note: "x" } },
      "note: There is no field `note`. The body of POST /api/posts/{id}/like takes nothing.",
    ],
    [
      { path: "/api/posts/1/like?note=x" },
      "note: There is no query parameter `note`. The query of POST /api/posts/{id}/like takes `dryRun`.",
    ],
    [
      { method: "GET", path: "/api/posts?page=2" },
      "page: There is no query parameter `page`; did you mean `cursor`?",
    ],
    [
      { method: "GET", path: "/api/posts?search=x" },
      "search: There is no query parameter `search`; did you mean `q`?",
    ],
    [
      { method: "GET", path: "/api/auth/me?verbose=1" },
      "verbose: There is no query parameter `verbose`. The query of GET /api/auth/me takes nothing.",
    ],
    [{ method: "GET", path: "/api/posts?__proto__=1" }, ""],
    [{ method: "GET", path: "/api/posts?dryRun=yes" }, "dryRun: dryRun must be 1 or 0."],
    [
      { method: "GET", path: "/api/posts", body: { q: "x" } },
      "undefined: GET takes no body. Send its fields in the query.",
    ],
    [
      { method: "DELETE", path: "/api/follows?platform=native&autor=x" },
      "autor: There is no query parameter `autor`; did you mean `author`?",
    ],
    [
      { path: "/api/posts", form: { title: "x", picture: new Blob(["x"]) } },
      "picture: There is no file field `picture`; did you mean `image`? The form takes `image`, `video`, `thumbnail`.",
    ],
    [
      { path: "/api/posts", form: { title: "x", content: "y" } },
      "content: There is no field `content`; did you mean `body`?",
    ],
    [
      { path: "/api/posts", form: { title: new Blob(["x"]) } },
      "title: title is text: send it without a file name.",
    ],
    // Path, query and body are checked in this order, and in each first whether there is such a field.
    [{ path: "/api/posts/x/comments?y=1", body: { z: 1 } }, "id: id must be a whole number."],
    [{ path: "/api/posts/1/comments?y=1", body: { z: 1 } }, "y: There is no query parameter `y`."],
    [{ method: "GET", path: "/api/posts?limit=51&y=1" }, "y: There is no query parameter `y`."],
    [{ path: "/api/posts/9999999/comments", body: { z: 1 } }, "z: There is no field `z`."],
  ])("%j is refused by name", async (sent, message) => {
    const outcome = await outcomeOf(sent);
    if (message === "") expect(outcome).toBe("200");
    else expect(outcome).toContain(`400 invalid_input ${message}`);
  });

  test("is ignored if the resource shows it and no operation sets it", async () => {
    const reader = tandem.as.with(headers);
    const { post } = await reader.readPost({ id: postId });
    const edit = (body: object) => outcomeOf({ method: "PATCH", path: "/api/posts/1", body });
    expect(await edit({ ...post, title: "Looms again", score: 999 })).toBe("200");
    expect((await reader.readPost({ id: postId })).post).toMatchObject({
      title: "Looms again",
      score: post.score,
    });
    // What another operation sets must be unchanged.
    expect(await edit({ ...post, provenance: "human" })).toBe(
      "400 invalid_input provenance: provenance can't be set here. Leave it out, or send it unchanged.",
    );
    const { comments } = await reader.listComments({ id: postId });
    const comment = { method: "PATCH", path: `/api/comments/${commentId}` };
    expect(await outcomeOf({ ...comment, body: { ...comments[0], body: "Very well said." } })).toBe("200");
    expect(await outcomeOf({ ...comment, body: { body: "x", parentId: 1 } })).toContain(
      "400 invalid_input parentId",
    );
    expect(await outcomeOf({ path: "/api/posts", form: { title: "x", likeCount: "3" } })).toBe("200");
  });

  test("is ignored in the query of a browser's page or a product's link, and with a leading _", async () => {
    for (const path of [
      "/?utm_source=x",
      "/index.md?utm_source=x",
      "/feed.rss?utm_source=x",
      "/api/posts?_=17",
    ])
      expect([path, (await sendRequest(tandem.baseUrl, { path })).status]).toEqual([path, 200]);
    expect((await sendRequest(tandem.baseUrl, { path: "/out/1?utm_source=x" })).status).toBe(404);
  });

  test("is refused in a body that should be empty, unless it holds nothing", async () => {
    const path = `/api/posts/${postId}/like`;
    const send = async (type: string, body: string) =>
      (
        await sendRequest(tandem.baseUrl, {
          method: "POST",
          path,
          headers: { ...headers, "content-type": type },
          body,
        })
      ).body;
    for (const body of ["", "{}", "null"])
      expect(await send("application/json", body)).toHaveProperty("liked");
    expect(await send("text/plain", "x")).toMatchObject({ code: "unsupported_media_type" });
    expect(await send("application/json", "{")).toMatchObject({ code: "invalid_json" });
    expect(await send("application/json", "[]")).toMatchObject({
      error: "The body must be a JSON object.",
      hint: expect.stringContaining("has no body"),
    });
  });

  test("reaches the service through the client, whose error names the right field", async () => {
    const { options } = await tandem.as.agent();
    const agent = tandem.as.bearer(String(options.key));
    const sloppy: Record<string, (input: object) => Promise<unknown>> = agent as never;
    await expect(sloppy.createComment?.({ id: postId, content: "x" })).rejects.toMatchObject({
      code: "invalid_input",
      field: "content",
      message: expect.stringContaining("did you mean `body`?"),
    });
    await expect(sloppy.listPosts?.({ page: 2 })).rejects.toMatchObject({ field: "page" });
    await expect(sloppy.createPost?.({ title: "x", photo: new Blob(["x"]) })).rejects.toMatchObject({
      field: "photo",
    });
  });
});

function toForm(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
