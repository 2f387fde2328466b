import { hintOf } from "@tandem/contract/hints";
import type { CallResponse } from "@tandem/testing/callers";
import { takenBy } from "@tandem/testing/inputs";
import { engines, startTandem } from "@tandem/testing/tandem";
import { blockWrites, queueWrite } from "@tandem/testing/write-lock";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

describe.each(engines)("internal errors on %s", (engine) => {
  test("return 500 and reveal no internals", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    await tandem.storage.write((tx) => sql`drop table lives`.execute(tx));
    const responses = [await person.call("listLives"), await person.call("startLive", { title: "Now" })];
    for (const { status, body, headers } of responses) {
      const docs = `${tandem.baseUrl}/errors/internal`;
      const expected = { error: "Internal server error.", code: "internal", hint: hintOf("internal"), docs };
      expect([status, body]).toEqual([500, expected]);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(JSON.stringify([...headers])).not.toMatch(/sqlite|postgres|lives/i);
    }
    // Later calls succeed.
    expect((await person.call("listPosts")).status).toBe(200);
    expect((await person.createPost({ title: "Still here" })).post.title).toBe("Still here");
  });

  test("roll the write back and charge no quota", async () => {
    await using tandem = await startTandem(engine);
    const key = await tandem.as.agent();
    const { post } = await tandem.as.human().then((person) => person.createPost({ title: "x" }));
    // The like itself is written before its notification.
    await tandem.storage.write((tx) => sql`drop table notifications`.execute(tx));
    const call = { idempotencyKey: "one" };
    expect((await key.call("likePost", { id: post.id }, call)).status).toBe(500);
    expect((await key.readPost({ id: post.id })).post).toMatchObject({ liked: false, likeCount: 0 });
    const { remaining, limits, acceptedWrites } = await key.readOwnKey();
    expect([remaining, acceptedWrites]).toEqual([limits, 0]);
  });
});

/** PostgreSQL runs writes in parallel: what is revoked meanwhile was revoked after them. */
describe("with a queue of writes", () => {
  const engine = "sqlite";

  test("returns 503 for writes beyond the queue's limit, and still reads", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    await using held = await blockWrites(tandem.storage);
    const waiting = Array.from({ length: 12_000 }, () => tandem.storage.write(async () => {}));
    const settled = Promise.allSettled(waiting);
    const { status, body, headers } = await person.call("createPost", { title: "One more" });
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "overloaded", "1"]);
    expect((await person.call("me")).status).toBe(200);
    await held.release();
    await settled;
    expect((await person.call("createPost", { title: "One more" })).status).toBe(200);
  });

  test.each([
    ["an agent that is removed", "deleteAgent"],
    ["a key that is revoked", "revokeKey"],
  ] as const)("rejects the waiting writes of %s", async (_, end) => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const { post } = await person.createPost({ title: "x" });
    await using held = await blockWrites(tandem.storage);
    const input = { id: post.id, title: "x", body: "x", url: "https://example.org" };
    const ending = await queueWrite(person, end, {
      id: end === "deleteAgent" ? agent.agent.id : agent.keyId,
    });
    const waiting: Promise<CallResponse>[] = [];
    for (const name of ["createPost", "createComment", "likePost", "editProfile", "createProduct"] as const)
      waiting.push((await queueWrite(agent, name, takenBy(name, input))).response);
    await held.release();
    expect((await ending.response).status).toBe(200);
    for (const { status, body } of await Promise.all(waiting))
      expect([status, body.code]).toEqual([401, "unauthorized"]);
    expect((await agent.call("me")).status).toBe(401);
    expect((await person.readPost({ id: post.id })).post).toMatchObject({ likeCount: 0, commentCount: 0 });
  });
});
