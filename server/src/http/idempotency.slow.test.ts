import { DAY } from "@tandem/contract/durations";
import { DERIVED_KEY_PREFIX } from "@tandem/contract/idempotency";
import type { Caller, CallResponse } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { dump } from "@tandem/testing/dump";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { blockWrites } from "@tandem/testing/write-lock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Every operation is repeated in dry-run.slow.test.ts. */
describe.each(engines)("Idempotency-Key on %s", (engine) => {
  const once = testOnce(engine);
  const clock = stoppedClock();
  let tandem: Tandem;
  let person: Awaited<ReturnType<Tandem["as"]["human"]>>;
  let key: Caller;
  let agentId: number;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    agentId = agent.agent.id;
    key = agent;
  });
  afterAll(() => tandem.stop());

  const post = (caller: Caller, header: string, title = "Once") =>
    caller.call("createPost", { title }, { headers: { "idempotency-key": header } });

  once("a repeated call returns the first response, has no effect and charges no quota", async () => {
    const first = await post(key, '"once"');
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const [left, before] = [await key.readOwnKey(), await dump(tandem.storage)];
    for (const header of ['"once"', "once", " once "]) {
      const again = await post(key, header);
      expect([again.status, again.body, replayed(again)]).toEqual([200, first.body, "true"]);
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    }
    expect(await dump(tandem.storage)).toEqual(before);
    expect((await key.readOwnKey()).remaining).toEqual(left.remaining);
  });

  once("accepts quoted and bare keys, with escaped or plain quotes", async () => {
    const first = await post(key, '"say \\"hi\\" \\\\ there"');
    expect(await post(key, 'say "hi" \\ there')).toMatchObject({ status: 200, body: first.body });
    expect(replayed(await post(key, "other"))).toBe(null);
  });

  test("replays the first response, even if its resource was deleted", async () => {
    const first = await post(key, "deleted");
    await key.deletePost({ id: idOf(first) });
    expect(await post(key, "deleted")).toMatchObject({ status: 200, body: first.body });
    expect((await key.call("readPost", { id: idOf(first) })).status).toBe(404);
  });

  test("forgets a derived key once its account deleted what it created, but not if the operator undid it", async () => {
    const again = async (title: string) => idOf(await post(key, `${DERIVED_KEY_PREFIX}${title}`, title));
    const first = await again("Derived");
    expect(await again("Derived")).toBe(first);
    await key.deletePost({ id: first });
    const second = await again("Derived");
    expect(second).not.toBe(first);
    expect(await again("Derived")).toBe(second);
    const { body } = await person.call("undoAgent", { id: agentId });
    expect(body.undone).toMatchObject({ posts: expect.any(Number) });
    expect((await key.call("readPost", { id: second })).status).toBe(404);
    expect(await again("Derived")).toBe(second);
  });

  test("returns 422 for the same key with another body, path, query or method", async () => {
    const id = idOf(await post(key, "mine"));
    const other = idOf(await post(key, "another"));
    expect(verdictOf(await post(key, "mine", "Twice"))).toEqual([422, "idempotency_mismatch"]);
    const comment = { id, body: "x" };
    const call = { idempotencyKey: "mine" };
    expect(verdictOf(await key.call("createComment", comment, call))).toEqual([422, "idempotency_mismatch"]);
    await key.likePost({ id }, { idempotencyKey: "liked" });
    expect((await key.call("likePost", { id: other }, { idempotencyKey: "liked" })).status).toBe(422);
    expect((await key.call("unlikePost", { id }, { idempotencyKey: "liked" })).status).toBe(422);
    expect((await key.readPost({ id })).post).toMatchObject({ liked: true, commentCount: 0 });
  });

  test("returns 409 while the first call runs", async () => {
    await using held = await blockWrites(tandem.storage);
    const calls = [post(key, "parallel"), post(key, "parallel")];
    const refused = await Promise.race(calls);
    expect(verdictOf(refused)).toEqual([409, "idempotency_in_progress"]);
    await held.release();
    const responses = await Promise.all(calls);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replayed(await post(key, "parallel"))).toBe("true");
  });

  test("executes one of many concurrent calls", async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => post(key, i % 2 ? "crowd" : '"crowd"', "In a crowd")),
    );
    const made = responses.filter((response) => response.status === 200 && replayed(response) === null);
    expect(made.length).toBe(1);
    for (const { status } of responses) expect([200, 409]).toContain(status);
    const { posts } = await key.listPosts({ q: "crowd", limit: 50 });
    expect(posts.map(({ id }) => id)).toEqual(made.map(idOf));
  });

  once("keeps the keys of different callers apart", async () => {
    const others = [await tandem.as.key(undefined, person), await tandem.as.key(undefined, person), person];
    const responses = [await post(key, "ours")];
    for (const other of others) responses.push(await post(other, "ours"));
    expect(responses.map(replayed)).toEqual([null, null, null, null]);
    expect(new Set(responses.map(idOf)).size).toBe(4);
    expect(replayed(await post(person, "ours"))).toBe("true");
  });

  test("forgets a key after 24 hours", async () => {
    const first = await post(key, "daily");
    clock.pass(DAY - 1);
    expect(replayed(await post(key, "daily"))).toBe("true");
    clock.pass(1);
    const next = await post(key, "daily", "Another day");
    expect([next.status, replayed(next)]).toEqual([200, null]);
    expect(idOf(next)).not.toBe(idOf(first));
    clock.pass(DAY - 1);
    expect(replayed(await post(key, "daily", "Another day"))).toBe("true");
  });

  once("shows a secret only once", async () => {
    await person.reauthenticate({ password: person.password });
    for (const [name, input] of [
      ["mintKey", { name: "Secret" }],
      ["createAgent", { username: "secretive" }],
    ] as const) {
      const first = await person.call(name, input, { idempotencyKey: name });
      expect(first.body.secret).toMatch(/^tandem_live_/);
      const again = await person.call(name, input, { idempotencyKey: name });
      expect([again.body, replayed(again)]).toEqual([{ ...first.body, secret: null }, "true"]);
      const stored = JSON.stringify(await dump(tandem.storage));
      expect(stored).not.toContain(first.body.secret);
    }
  });

  test("doesn't record a failed call", async () => {
    const attempt = (input: object) => key.call("createPost", input, { idempotencyKey: "retry" });
    expect((await attempt({})).status).toBe(400);
    expect((await attempt({ title: "x", productIds: [9_999_999] })).status).toBe(404);
    const good = await attempt({ title: "At last" });
    expect([good.status, replayed(good)]).toEqual([200, null]);
  });

  test("a dry run neither uses nor replays the key", async () => {
    const dry = () => key.call("createPost", { title: "Dry" }, { idempotencyKey: "dry", dryRun: true });
    expect((await dry()).body.dryRun).toBe(true);
    const first = await key.call("createPost", { title: "Dry" }, { idempotencyKey: "dry" });
    expect([first.status, replayed(first), first.body.dryRun]).toEqual([200, null, undefined]);
    expect(replayed(await dry())).toBe(null);
  });

  once("returns 400 for a malformed key", async () => {
    for (const header of ["", '""', '"', '"open', 'shut"', "x".repeat(256), `"${"x".repeat(256)}"`]) {
      const { status, body } = await post(key, header);
      expect([header, status, body.code, body.field]).toEqual([
        header,
        400,
        "invalid_input",
        "Idempotency-Key",
      ]);
    }
    expect((await post(key, "x".repeat(255))).status).toBe(200);
  });

  test("is ignored by reads", async () => {
    const call = { headers: { "idempotency-key": '"' } };
    expect(replayed(await key.call("listPosts", { limit: 1 }, call))).toBe(null);
    expect((await key.call("listPosts", { limit: 2 }, call)).status).toBe(200);
  });
});

function replayed({ headers }: CallResponse): string | null {
  return headers.get("idempotency-replayed");
}

function verdictOf({ status, body }: CallResponse) {
  return [status, body.code];
}

function idOf({ body }: CallResponse): number {
  return (body.post as { id: number }).id;
}
