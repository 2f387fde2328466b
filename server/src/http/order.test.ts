import { type OperationName, operations } from "@tandem/contract/operations";
import type { Caller, CallResponse } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { makeFixtures } from "@tandem/testing/inputs";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A request with several errors is rejected for the first of them (decisions: order). */
describe.each(engines)("the order of checks on %s", (engine) => {
  let tandem: Tandem;
  let cast: Awaited<ReturnType<typeof makeCast>>;
  beforeAll(async () => {
    tandem = await startTandem(engine, {
      env: { LIMIT_TIERS_PROBATION_WRITES: "1" },
      now: stoppedClock().now,
    });
    cast = await makeCast(tandem);
  });
  afterAll(() => tandem.stop());

  test("is credential, scope, input, existence, ownership, limit", async () => {
    const { stranger, reader, spent, mine, theirs } = cast;
    const edit = async (caller: Caller, id: unknown, title: unknown) =>
      verdictOf(await caller.call("editPost", { id, title }));
    const badKey = tandem.as.with({ authorization: "Bearer nobody" });
    expect(await edit(tandem.as.anonymous(), "x", 1)).toBe("401 unauthorized");
    expect(await edit(badKey, "x", 1)).toBe("401 unauthorized");
    expect(await edit(reader, "x", 1)).toBe("403 insufficient_scope");
    expect(await edit(spent, "x", 1)).toBe("400 invalid_input id");
    expect(await edit(spent, 9_999_999, 1)).toBe("400 invalid_input title");
    expect(await edit(spent, theirs.postId, 1)).toBe("400 invalid_input title");
    const unknown = async (caller: Caller, id: unknown) =>
      verdictOf(await caller.call("editPost", { id, title: 1, nonsense: 1 }));
    expect(await unknown(reader, "x")).toBe("403 insufficient_scope");
    expect(await unknown(spent, "x")).toBe("400 invalid_input id");
    expect(await unknown(spent, 9_999_999)).toBe("400 invalid_input nonsense");
    expect(await edit(spent, 9_999_999, "Fine")).toBe("404 not_found");
    expect(await edit(spent, theirs.postId, "Fine")).toBe("403 forbidden");
    expect(await edit(spent, mine.postId, "Fine")).toBe("429 rate_limited");
    expect(await edit(stranger, theirs.postId, "Fine")).toBe("200");
  });

  test("puts existence, ownership and rules before the limit in all operations", async () => {
    const { spent, mine, theirs } = cast;
    const verdicts: [OperationName, object, string][] = [
      ["createComment", { id: 9_999_999, body: "x" }, "404 not_found"],
      [
        "createComment",
        { id: mine.postId, body: "x", parentId: theirs.commentId },
        "400 invalid_parent parentId",
      ],
      ["createComment", { id: mine.postId, body: "x" }, "429 rate_limited"],
      ["editComment", { id: theirs.commentId, body: "x" }, "403 forbidden"],
      ["editComment", { id: mine.commentId, body: "x" }, "429 rate_limited"],
      ["attachProduct", { id: 9_999_999, productId: theirs.productId }, "404 not_found"],
      ["attachProduct", { id: theirs.postId, productId: theirs.productId }, "404 not_found productId"],
      ["attachProduct", { id: theirs.postId, productId: mine.productId }, "403 forbidden"],
      ["attachProduct", { id: mine.postId, productId: theirs.productId }, "404 not_found productId"],
      ["attachProduct", { id: mine.postId, productId: mine.productId }, "429 rate_limited"],
      ["createPost", { title: "x", productIds: [theirs.productId] }, "404 not_found productIds"],
      ["likePost", { id: 9_999_999 }, "404 not_found"],
      ["likePost", { id: theirs.postId }, "429 rate_limited"],
      ["follow", { platform: "native", author: "missing-account" }, "404 not_found author"],
      ["follow", { platform: "native", author: cast.username }, "400 invalid_input author"],
      ["unfollow", { platform: "native", author: cast.username }, "400 invalid_input author"],
      ["follow", { platform: "reddit", author: "ada_l" }, "429 rate_limited"],
    ];
    for (const [name, input, verdict] of verdicts) {
      expect([name, input, verdictOf(await spent.call(name, input))]).toEqual([name, input, verdict]);
    }
  });

  test("rejects keys and agents before it validates their input", async () => {
    for (const name of ["mintKey", "createAgent", "revokeKey", "deleteAgent"] as const) {
      const bad = { scopes: "all", username: "?", id: "x" };
      expect(verdictOf(await cast.spent.call(name, bad))).toBe("403 session_required");
      expect(verdictOf(await cast.agentSession.call(name, bad))).toBe("403 agent_forbidden");
    }
    expect(verdictOf(await cast.spent.call("startLive", {}))).toBe("403 session_required");
  });

  test("rejects an unauthorized caller without reading the body", async () => {
    const send = async (headers: Record<string, string>, body: string) =>
      verdictOf(await sendRequest(tandem.baseUrl, { method: "POST", path: "/api/posts", headers, body }));
    const json = { "content-type": "application/json" };
    const reader = { authorization: `Bearer ${cast.reader.options.key}` };
    const huge = `{"title":"${"x".repeat(2 ** 20)}"}`;
    for (const body of ["{", huge]) {
      expect(await send(json, body)).toBe("401 unauthorized");
      expect(await send({ ...json, ...reader }, body)).toBe("403 insufficient_scope");
    }
    expect(await send({ "content-type": "text/plain" }, "hello")).toBe("401 unauthorized");
  });

  test("names the first of several invalid fields, path before query before body", async () => {
    const { stranger } = cast;
    const { properties } = operations.createProduct.body;
    expect(Object.keys(properties).slice(0, 2)).toEqual(["title", "url"]);
    expect(verdictOf(await stranger.call("createProduct", { url: 1 }))).toBe("400 invalid_input title");
    expect(verdictOf(await stranger.call("createProduct", { title: "x", url: 1, price: [] }))).toBe(
      "400 invalid_input url",
    );
    expect(verdictOf(await stranger.call("listComments", { id: "x", cursor: "x" }))).toBe(
      "400 invalid_input id",
    );
    expect(verdictOf(await stranger.call("openProduct", { id: 1, post: "x" }))).toBe(
      "400 invalid_input post",
    );
  });
});

async function makeCast({ as, services }: Tandem) {
  const [person, stranger] = await Promise.all([as.human(), as.human()]);
  const agent = await as.agent(person);
  const [reader, spent, agentSession] = await Promise.all([
    as.key([], person),
    as.key(undefined, person),
    as.agentSession(person, agent.agent.id),
  ]);
  const [mine, theirs] = await Promise.all([
    makeFixtures(person, services.now()),
    makeFixtures(stranger, services.now()),
  ]);
  await spent.likePost({ id: mine.postId });
  return { stranger, reader, spent, agentSession, mine, theirs, username: person.user.username };
}

function verdictOf({ status, body: { code, field } }: CallResponse): string {
  return [status, code, field].filter((part) => part !== undefined).join(" ");
}
