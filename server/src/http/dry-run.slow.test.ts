import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operationList, operations } from "@tandem/contract/operations";
import { stoppedClock } from "@tandem/testing/clock";
import { dump } from "@tandem/testing/dump";
import { endsCaller, ReusableUser } from "@tandem/testing/inputs";
import { type EngineName, engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const { now } = stoppedClock();

/** No identity provider is configured here. */
const writes = operationList
  .filter((op) => isWrite(op) && !op.name.startsWith("signInWith"))
  .map(({ name }) => name as OperationName);

/** Those that take no `Idempotency-Key`, or whose caller can't repeat them. */
const unrepeatable = new Set<string>(
  writes.filter((name) => operations[name].access.kind === "anyone" || endsCaller.has(name)),
);

/** On PostgreSQL, few: a rollback undoes each of them alike, and property.slow.test.ts executes the others there. */
const writesOn = {
  sqlite: writes,
  postgres: writes.filter((name) => unrepeatable.has(name) || name === "createPost"),
};

/** Dumps take longer the more there is, so a new service continues after these many. */
const PART = 40;
const partsOn = (engine: EngineName) =>
  Array.from({ length: Math.ceil(writesOn[engine].length / PART) }, (_, i) =>
    writesOn[engine].slice(i * PART, (i + 1) * PART),
  );

describe.each(engines)("a dry run on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now });
  });
  afterAll(() => tandem.stop());

  describe.each(partsOn(engine))("of %s and others", (...part) => {
    let tandem: Tandem;
    let households: ReusableUser;
    beforeAll(async () => {
      tandem = await startTandem(engine, { now });
      households = new ReusableUser(tandem);
    });
    afterAll(() => tandem.stop());

    test.each(part)(
      "%s returns the real call's response and leaves no trace; that is executed once",
      async (name) => {
        const { person, input, before, dry, after } = await households.attempt(
          async ({ person, inputs }) => {
            await tandem.services.afterResponse.idle();
            const before = await dump(tandem.storage);
            const dry = await person.call(name, inputs[name], { dryRun: true });
            return { person, input: inputs[name], before, dry, after: await dump(tandem.storage) };
          },
          ({ dry }) => dry.status === 200,
        );
        expect(after).toEqual(before);
        expect([dry.status, dry.headers.getSetCookie()]).toEqual([200, []]);
        const call = unrepeatable.has(name) ? {} : { idempotencyKey: `every ${name}` };
        const real = await person.call(name, input, call);
        expect(real.status).toBe(200);
        expect(normalized(dry.body)).toEqual({ ...(normalized(real.body) as object), dryRun: true });
        expect(real.body).not.toHaveProperty("dryRun");
        expect(dry.headers.get("content-type")).toBe(real.headers.get("content-type"));
        if (unrepeatable.has(name)) return;
        await tandem.services.afterResponse.idle();
        const stored = await dump(tandem.storage);
        const again = await person.call(name, input, call);
        expect([again.headers.get("idempotency-replayed"), again.body]).toEqual([
          "true",
          withoutSecrets(real.body),
        ]);
        expect(again.headers.getSetCookie()).toEqual([]);
        expect(await dump(tandem.storage)).toEqual(stored);
      },
    );
  });

  test("dryRun=0 writes, and reads ignore dryRun", async () => {
    const reader = await tandem.as.human();
    const { status, body } = await reader.call("createPost", { title: "x" }, { dryRun: true });
    expect([status, body.dryRun]).toEqual([200, true]);
    const { post } = await reader.createPost({ title: "Real" });
    const path = `${tandem.baseUrl}/api/posts/${post.id}`;
    const headers = { ...reader.options.headers };
    expect(await (await fetch(`${path}?dryRun=1`)).json()).toEqual({ post });
    expect(await (await fetch(`${path}?dryRun=0`, { method: "DELETE", headers })).json()).toEqual({
      deleted: true,
    });
    expect((await reader.call("readPost", { id: post.id })).status).toBe(404);
  });

  test("the key of a dry run isn't valid", async () => {
    const human = await tandem.as.human();
    const { body } = await human.call("mintKey", { scopes: "posts:write" }, { dryRun: true });
    expect((await tandem.as.bearer(String(body.secret)).call("me")).status).toBe(401);
    expect((await human.listKeys()).keys).toEqual([]);
  });

  test("returns the same errors as the real call", async () => {
    const stranger = await tandem.as.human();
    const { post } = await stranger.createPost({ title: "Not yours" });
    const other = await tandem.as.human();
    const edit = (id: number, title: unknown) => other.call("editPost", { id, title }, { dryRun: true });
    const responses = await Promise.all([edit(post.id, 1), edit(9_999_999, "x"), edit(post.id, "x")]);
    expect(responses.map(({ status }) => status)).toEqual([400, 404, 403]);
    const taken = { username: stranger.user.username, email: "new@example.org", password: "correct horse" };
    const signUp = await tandem.as.anonymous().call("signUp", taken, { dryRun: true });
    expect(signUp.body).toMatchObject({ code: "username_taken", field: "username" });
  });

  test("hundreds of dry runs don't affect concurrent writes", async () => {
    const writer = await tandem.as.key();
    const title = "Beside dry runs";
    // On a busy machine some are answered with 503 and retried.
    const calls = Array.from({ length: 200 }, (_, i) =>
      writer.createPost({ title }, { dryRun: i % 4 !== 0, maxWait: 60 }),
    );
    const responses = await Promise.all(calls);
    expect(responses.filter((response) => "dryRun" in response).length).toBe(150);
    expect((await writer.analytics()).totals.posts).toBe(50);
    expect((await writer.readOwnKey()).acceptedWrites).toBe(50);
  });
});

/** The response without what only the first one shows. */
function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const shownOnce = ["secret", "uri", "recoveryCodes"].filter((field) => field in body);
  return { ...body, ...Object.fromEntries(shownOnce.map((field) => [field, null])) };
}

/** The response without what differs between calls: ids, of which an engine may skip some, and secrets. */
function normalized(value: unknown, name = ""): unknown {
  const random = [
    "secret",
    "hint",
    "nonce",
    "messageId",
    "uri",
    "recoveryCodes",
    "challenge",
    "code",
    "token",
  ];
  if (random.includes(name)) return typeof value;
  if (/^(id|agentId|postId|commentId|keyId)$/.test(name)) return value === null ? null : typeof value;
  if (["avatarUrl", "bannerUrl", "pictureUrl"].includes(name) && value !== null) return "/media/";
  if (typeof value === "string")
    return value.replace(/^\/out\/\d+\?post=\d+$/, "/out").replace(/#invitation=.*|\/claim\/.*/, "");
  if (Array.isArray(value)) return value.map((one) => normalized(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, normalized(one, key)]));
}
