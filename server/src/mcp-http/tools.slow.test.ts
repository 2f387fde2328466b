import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scopeNames } from "@tandem/contract/scopes";
import { Callers, uniqueName } from "@tandem/testing/callers";
import { connectMcp, mcpClients } from "@tandem/testing/mcp-clients";
import { drawPicture } from "@tandem/testing/pictures";
import { startProcess } from "@tandem/testing/process";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("MCP over HTTP", () => {
  let tandem: Tandem;
  let url: string;

  beforeAll(async () => {
    tandem = await startTandem();
    url = `${tandem.baseUrl}/mcp`;
  });
  afterAll(() => tandem.stop());

  const bearer = (key: string | undefined) => ({ authorization: `Bearer ${key}` });

  test.each(mcpClients)("the client %s creates a post and reads it back", async (kind) => {
    const agent = await tandem.as.agent();
    await using client = await connectMcp(kind, { url, headers: bearer(agent.options.key) });
    await client.tools();
    const made = await client.call("tandem_create_post", { title: "Over HTTP" });
    const { post } = made.structuredContent as { post: { id: number } };
    expect((await agent.readPost({ id: post.id })).post).toMatchObject({
      title: "Over HTTP",
      author: agent.agent.username,
      provenance: "ai_generated",
    });
    const read = await client.call("tandem_read_post", { id: post.id });
    expect(read.structuredContent).toMatchObject({ post: { title: "⟦Over HTTP⟧" } });
    expect(await client.read(`tandem://posts/${post.id}`)).toContain("⟦Over HTTP⟧");
    expect(await client.read("tandem://api/openapi.json")).toContain('"openapi"');
    expect(await client.prompt("reply_to_post", { postId: "42" })).toContain("42");
  });

  test.each(mcpClients)(
    "tells the client %s that a call waits for approval, and not that it failed",
    async (kind) => {
      const person = await tandem.as.human();
      const agent = await tandem.as.agent(person);
      await person.editKey({ id: agent.keyId, approval: true });
      await using client = await connectMcp(kind, { url, headers: bearer(agent.options.key) });
      await client.tools();
      const dryRun = await client.call("tandem_create_post", { title: "May I?", dryRun: true });
      expect(JSON.stringify(dryRun)).toMatch(/Dry run: nothing was done\. The real call would wait/);
      expect(dryRun.structuredContent).not.toHaveProperty("pending.draftId");
      const result = await client.call("tandem_create_post", { title: "May I?" });
      const [draft] = (await person.listDrafts()).drafts;
      expect(result.isError).toBeFalsy();
      expect(result).toMatchObject({
        content: [
          {
            text: expect.stringContaining(
              `NOT done yet: draft ${draft?.id} waits for your operator's approval.`,
            ),
          },
        ],
        structuredContent: { pending: { draftId: draft?.id } },
      });
      const again = { operation: "publishDraft", input: { id: draft?.id } };
      expect(await client.call("tandem_call_operation", again)).toMatchObject({
        content: result.content,
        structuredContent: { pending: { draftId: draft?.id, operation: "createPost" } },
      });
    },
  );

  test.each(mcpClients)("offers only public tools to the client %s without a key", async (kind) => {
    await using client = await connectMcp(kind, { url });
    const tools = await client.tools();
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing).toEqual(["tandem_claim_agent", "tandem_request_agent"]);
    expect(tools.map(({ name }) => name)).toContain("tandem_list_posts");
    expect(tools.map(({ name }) => name)).not.toContain("tandem_me");
    expect((await client.call("tandem_list_posts")).isError).toBeFalsy();
    const refused = await client.call("tandem_create_post", { title: "Nobody's" });
    expect(refused).toMatchObject({ isError: true, _meta: { "tandem/error": { code: "unauthorized" } } });
  });

  test.each(mcpClients)("lets the client %s ask for an account, and gives it the key", async (kind) => {
    await using client = await connectMcp(kind, { url });
    await client.tools();
    const asked = await client.call("tandem_request_agent", { username: uniqueName("asker") });
    const { request, token } = asked.structuredContent as { request: { code: string }; token: string };
    const claim = async () => (await client.call("tandem_claim_agent", { token })).structuredContent;
    expect(await claim()).toEqual({ state: "pending" });
    await (await tandem.as.human()).approveAgentRequest({ code: request.code });
    const { secret } = (await claim()) as Record<string, string>;
    expect((await tandem.as.bearer(String(secret)).me()).user.role).toBe("agent");
  });

  test("lists only tools that the key's scopes allow", async () => {
    for (const scope of scopeNames) {
      const key = await tandem.as.key([scope]);
      await using client = await connectMcp("2026-07-28", { url, headers: bearer(key.options.key) });
      const names = (await client.tools()).map(({ name }) => name);
      expect(names.includes("tandem_create_post")).toBe(scope === "posts:write");
      expect(names.includes("tandem_create_comment")).toBe(scope === "comments:write");
      expect(names.includes("tandem_like_post")).toBe(scope === "engagement:write");
      expect(names.includes("tandem_edit_profile")).toBe(scope === "profile:write");
      expect(names).toContain("tandem_me");
    }
  });

  test("charges the key's quota and checks its scopes like any request", async () => {
    const key = await tandem.as.key(["posts:write"]);
    await using client = await connectMcp("2025", { url, headers: bearer(key.options.key) });
    const before = await key.readOwnKey();
    await client.call("tandem_create_post", { title: "Counted" });
    const after = await key.readOwnKey();
    expect(before.remaining.posts - after.remaining.posts).toBe(1);
    const refused = await client.call("tandem_like_post", { id: 1 });
    expect(refused).toMatchObject({
      isError: true,
      _meta: { "tandem/error": { code: "insufficient_scope" } },
    });
    expect(refused.content[0]?.text).toContain("engagement:write");
  });

  test("reports an exceeded limit with the wait, without waiting", async () => {
    await using strict = await startTandem("sqlite", { env: { LIMIT_TIERS_PROBATION_POSTS: "1" } });
    const { options } = await strict.as.agent();
    await using client = await connectMcp("2026-07-28", {
      url: `${strict.baseUrl}/mcp`,
      headers: bearer(options.key),
    });
    expect((await client.call("tandem_create_post", { title: "The only" })).isError).toBeFalsy();
    const refused = await client.call("tandem_create_post", { title: "One too many" });
    expect(refused).toMatchObject({ isError: true, _meta: { "tandem/error": { code: "rate_limited" } } });
    expect(refused.content[0]?.text).toMatch(/retry after \d{4,} s/);
  });

  test("returns 401 for an unknown key", async () => {
    const response = await post(url, list, bearer("tandem_live_nonsense"));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ code: "unauthorized" });
  });

  test("returns 403 for requests from another site without a key", async () => {
    const { options } = await tandem.as.agent();
    const elsewhere: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const from of elsewhere) {
      const response = await post(url, list, from);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "cross_origin" });
      expect((await post(url, list, { ...bearer(options.key), ...from })).status).toBe(200);
    }
    expect((await post(url, list, { origin: tandem.baseUrl })).status).toBe(200);
  });

  test("returns 403 for another site whose DNS name points to this server", async () => {
    const headers = { host: "evil.example", origin: "http://evil.example" };
    const sent = request(url, { method: "POST", headers: { ...headers, ...json } }).end(list);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(403);
  });

  test("ignores session cookies", async () => {
    const ada = await tandem.as.human();
    await using client = await connectMcp("2025", { url, headers: ada.options.headers ?? {} });
    expect((await client.tools()).map(({ name }) => name)).not.toContain("tandem_me");
    expect(await client.call("tandem_me")).toMatchObject({ isError: true });
  });

  test.each(mcpClients)("takes pictures as base64 from the client %s, and no paths", async (kind) => {
    const agent = await tandem.as.agent();
    await using client = await connectMcp(kind, { url, headers: bearer(agent.options.key) });
    await client.tools();
    const base64 = (await drawPicture()).toString("base64");
    for (const [at, image] of [base64, `data:image/png;base64,${base64}`].entries()) {
      const made = await client.call("tandem_create_post", { title: `Drawn ${at}`, image, alt: "Lines" });
      expect(made.structuredContent).toMatchObject({ post: { mediaType: "image", alt: "⟦Lines⟧" } });
    }
    const several = { title: "Both", image: [base64, base64], alts: ["Lines", "More lines"] };
    expect((await client.call("tandem_create_post", several)).structuredContent).toMatchObject({
      post: { pictures: [{ alt: "⟦Lines⟧" }, { alt: "⟦More lines⟧" }] },
    });
    const avatar = { operation: "setAvatar", input: { image: base64 } };
    expect((await client.call("tandem_call_operation", avatar)).isError).toBeFalsy();
    const tooLarge = Buffer.alloc(760_000).toString("base64");
    for (const image of [
      "/etc/logo.png",
      "",
      "====",
      7,
      Buffer.from("no picture").toString("base64"),
      tooLarge,
      [base64, 7],
      Array.from({ length: 11 }, () => base64),
    ]) {
      const refused = await client.call("tandem_create_post", { title: "Mine?", image });
      expect(refused).toMatchObject({ isError: true, _meta: { "tandem/error": { field: "image" } } });
    }
    expect((await agent.listPosts({ author: agent.agent.username })).posts).toHaveLength(3);
  });

  test.each([
    ["invalid JSON", "{", 400],
    ["an empty body", "", 400],
    ["a batch of messages", `[${list}, ${list}]`, 400],
    ["a batch after white space", `${" ".repeat(1000)}[${list}]`, 400],
    ["a batch after a byte order mark", `\uFEFF[${list}]`, 400],
    ["a body over the size limit", `"${"x".repeat(2 ** 21)}"`, 413],
  ])("rejects %s as a client error", async (_what, body, status) => {
    expect((await post(url, body)).status).toBe(status);
  });

  test("acknowledges a subscription to nothing and ends it: tools don't change, and no socket is held", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { _meta, notifications: { toolsListChanged: true } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params });
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const response = await post(url, body, headers);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const messages = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = ""]) =>
      JSON.parse(data),
    );
    expect(messages).toMatchObject([
      { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
      { id: 7, result: { resultType: "complete" } },
    ]);
  });

  test.each([
    ["createPost", "; did you mean `tandem_create_post`?"],
    ["create_post", "; did you mean `tandem_create_post`?"],
    ["tandem_creat_post", "; did you mean `tandem_create_post`?"],
    ["tandem-list-posts", "; did you mean `tandem_list_posts`?"],
    ["tandem_create_draft", "; call `createDraft` with `tandem_call_operation`."],
    ["createDraft", "; call `createDraft` with `tandem_call_operation`."],
    ["fly_to_the_moon", "."],
  ])("for the unknown tool %s says what may be meant", async (name, meant) => {
    const params = { name, arguments: {} };
    const response = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    const end = "`tools/list` has all tools, and `tandem_search_operations` finds further operations.";
    expect(JSON.parse(/^data: (.*)$/m.exec(await response.text())?.[1] ?? "")).toMatchObject({
      error: { message: `Unknown tool ${JSON.stringify(name)}${meant} ${end}` },
    });
  });

  test.each([
    ["*/*"],
    ["application/*, text/*;q=0.5"],
    ["application/json, text/event-stream"],
    ["Application/JSON, */*;q=0.1"],
  ])("accepts Accept: %s", async (accept) => {
    const response = await post(url, list, { accept });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"tools"')]);
  });

  test("accepts a request without Accept", async () => {
    const headers = { "content-type": "application/json" };
    expect((await sendRequest(url, { method: "POST", path: "/mcp", headers, body: list })).status).toBe(200);
  });

  test.each(["application/json", "*/*;q=0", "text/html, text/*", "*/*, text/event-stream;q=0"])(
    "for Accept: %s says what to send",
    async (accept) => {
      const headers = { "content-type": "application/json", accept };
      const { status, body } = await sendRequest(url, { method: "POST", path: "/mcp", headers, body: list });
      const message = expect.stringContaining("send `Accept: application/json, text/event-stream` or");
      expect([status, body]).toMatchObject([406, { jsonrpc: "2.0", error: { message } }]);
    },
  );

  test.each(["GET", "DELETE"])("returns 405 for %s, because no session is stored", async (method) => {
    const response = await fetch(url, { method, headers: { accept: "text/event-stream" } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

test("any of several processes can handle any message", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-tools-"));
  try {
    await using served = await startProcess(dataDir, { WORKERS: "2" });
    const { options } = await new Callers(served.address).agent();
    const headers = { authorization: `Bearer ${options.key}` };
    const titles = ["One", "Two", "Three", "Four", "Five", "Six"];
    const made = titles.map(async (title, at) => {
      const kind = mcpClients[at % mcpClients.length] ?? "2025";
      await using client = await connectMcp(kind, { url: `${served.address}/mcp`, headers });
      return await client.call("tandem_create_post", { title });
    });
    for (const { isError } of await Promise.all(made)) expect(isError).toBeFalsy();
    const { posts } = await new Callers(served.address).anonymous().listPosts();
    expect(posts.map(({ title }) => title).sort()).toEqual(titles.sort());
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { ...json, ...headers } });
}
