import { limits } from "@tandem/contract/limits";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Version 1.0 of the protocol. The official client was tried by hand; see decision 132. */
describe("A2A", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const post = async (body: string, headers: Record<string, string> = {}) => {
    const all = { "content-type": "application/json", ...headers };
    return (await fetch(`${tandem.baseUrl}/a2a`, { method: "POST", headers: all, body })).json();
  };
  const rpc = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    post(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }), headers);
  const send = (parts: object[], headers: Record<string, string> = {}, more: object = {}) =>
    rpc("SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts, ...more } }, headers);

  test("the card has what version 1.0 requires, and an endpoint that answers", async () => {
    const response = await fetch(`${tandem.baseUrl}/.well-known/agent-card.json`);
    const card = await response.json();
    for (const field of ["name", "description", "version"]) expect(card[field]).toEqual(expect.any(String));
    expect(card.supportedInterfaces).toEqual([
      { url: `${tandem.baseUrl}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ]);
    expect(Object.values(card.capabilities)).toEqual([false, false, false]);
    for (const skill of card.skills) {
      expect(skill).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        tags: expect.arrayContaining([expect.any(String)]),
      });
      if (skill.id === "search") continue;
      const [example] = skill.examples.map((text: string) => JSON.parse(text));
      const { result } = await send([{ data: example }]);
      expect(result.message.parts[0].text).not.toContain("isn't an operation");
    }
  });

  test("a text finds posts, and a data part calls an operation with the caller's key", async () => {
    const agent = await tandem.as.agent();
    const key = { authorization: `Bearer ${agent.options.key}`, "a2a-version": "1.0" };
    const input = { title: "Woven by an agent", idempotencyKey: "one" };
    const created = await send([{ data: { operation: "createPost", input } }], key, { contextId: "c1" });
    expect(created).toMatchObject({
      jsonrpc: "2.0",
      id: 7,
      result: { message: { role: "ROLE_AGENT", contextId: "c1", messageId: expect.any(String) } },
    });
    const [, { data }] = created.result.message.parts;
    expect(data.post).toMatchObject({ author: `⟦${agent.agent.username}⟧`, provenance: "ai_generated" });
    const found = await send([{ text: "woven" }, { text: "agent" }]);
    expect(found.result.message.parts[1].data.posts).toMatchObject([{ id: data.post.id }]);
    const rare = await send([{ data: { operation: "listFollows" } }], key);
    expect(rare.result.message.parts[1].data).toEqual({ follows: [] });
    const refused = await send([{ data: { operation: "createPost", input: { title: "x" } } }]);
    expect(refused.result.message.parts).toMatchObject([
      { text: expect.stringContaining("unauthorized") },
      { data: { code: "unauthorized" } },
    ]);
    const dryRun = { operation: "createPost", input: { title: "x" }, dryRun: true };
    const lost = await send([{ data: dryRun }], key);
    expect(lost.result.message.parts[1].data).toMatchObject({ code: "not_found" });
    const two = await send([{ data: dryRun }, { text: "and more" }], key);
    expect(two.error).toMatchObject({ code: -32602 });
    expect((await agent.listPosts({ author: agent.agent.username })).posts).toHaveLength(1);
  });

  test("JSON with too many levels or fields is refused before it is parsed", async () => {
    const wide = Object.fromEntries(Array.from({ length: limits.jsonFields }, (_, i) => [i, 0]));
    for (const params of ["[".repeat(limits.jsonDepth) + "]".repeat(limits.jsonDepth), JSON.stringify(wide)])
      expect(await post(`{"jsonrpc":"2.0","id":7,"method":"ListTasks","params":${params}}`)).toMatchObject({
        code: "invalid_input",
        error: expect.stringMatching(/^JSON can/),
      });
  });

  test.each([
    ["GetTask", -32001],
    ["CancelTask", -32001],
    ["SendStreamingMessage", -32004],
    ["GetExtendedAgentCard", -32004],
    ["CreateTaskPushNotificationConfig", -32003],
    ["message/send", -32601],
  ])("%s is the error %i", async (method, code) => {
    expect(await rpc(method, { id: "1" })).toMatchObject({ jsonrpc: "2.0", id: 7, error: { code } });
  });

  test.each([
    ["not JSON", "{", -32700],
    ["a batch", "[]", -32600],
    ["a notification", '{"jsonrpc":"2.0","method":"GetTask"}', -32600],
    ["no message", '{"jsonrpc":"2.0","id":1,"method":"SendMessage"}', -32602],
  ])("%s is refused", async (_what, body, code) => {
    expect(await post(body)).toMatchObject({ error: { code } });
  });

  test("other versions, unknown tasks, unknown keys and other sites are refused", async () => {
    expect(await rpc("GetTask", {}, { "a2a-version": "0.3" })).toMatchObject({ error: { code: -32009 } });
    expect(await send([{ text: "x" }], {}, { taskId: "t" })).toMatchObject({ error: { code: -32001 } });
    expect(await send([{ text: " " }])).toMatchObject({ error: { code: -32602 } });
    expect(await rpc("ListTasks")).toMatchObject({ result: { tasks: [], totalSize: 0 } });
    expect(await rpc("ListTasks", {}, { authorization: "Bearer x" })).toMatchObject({ code: "unauthorized" });
    expect(await rpc("ListTasks", {}, { origin: "https://evil.example" })).toMatchObject({
      code: "cross_origin",
    });
  });
});
