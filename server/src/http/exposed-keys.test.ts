import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import type { Operation } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { publishedFields } from "@tandem/contract/schema";
import { makeAdminWithSource } from "@tandem/testing/admins";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { inputsFor, makeFixtures, pixel } from "@tandem/testing/inputs";
import { lowestCpuTime } from "@tandem/testing/measure";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { keysIn, newKey } from "./key-format.ts";

const length = newKey().length;
const places = operationList.flatMap((op) =>
  publishedFields(op.body)
    .filter((name) => maxLengthOf(op, name) >= length)
    .map((name) => [`${op.name}.${name}`, op as Operation, name] as const),
);

/** How many characters a field accepts at most. */
function maxLengthOf({ body }: Operation, name: string): number {
  const texts = alternatives(body.properties[name] as JsonSchemaNode).map(({ maxLength = 0 }) => maxLength);
  return Math.max(...texts);
}

/** A valid value for that field that contains the key. */
function valueWith(key: string, { body }: Operation, name: string): string {
  const isAddress = alternatives(body.properties[name] as JsonSchemaNode).some(
    ({ format }) => format === "web-address",
  );
  return isAddress ? `https://example.org/?key=${key}` : key;
}

test("the check covers every field that others can read, and no secret ones", () => {
  const names = places.map(([place]) => place);
  for (const place of [
    "createPost.title",
    "createPost.url",
    "createPost.alt",
    "editPost.body",
    "createComment.body",
  ])
    expect(names).toContain(place);
  for (const place of [
    "editProfile.bio",
    "createProduct.imageUrl",
    "mintKey.name",
    "createAgent.bio",
    "startLive.title",
  ])
    expect(names).toContain(place);
  for (const secret of ["signUp.password", "logIn.password", "logIn.email", "signInWithGoogle.idToken"])
    expect(names).not.toContain(secret);
});

describe.each(engines)("an API key in text to publish on %s", (engine) => {
  let tandem: Tandem;
  let owner: Person;
  let agent: AgentCaller;
  let sender: Person;
  let senderAgent: AgentCaller;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    owner = await tandem.as.human();
    agent = await tandem.as.agent(owner);
    sender = await tandem.as.human();
    await makeAdminWithSource(tandem.storage, sender);
    senderAgent = await tandem.as.agent(sender);
  });
  afterAll(() => tandem.stop());

  const mint = async () => {
    const { key, secret } = await owner.mintKey({ agentId: agent.agent.id, scopes: "posts:write" });
    return { hint: key.hint, secret: String(secret) };
  };
  const isLive = async (secret: string) => (await tandem.as.bearer(secret).call("me")).status === 200;
  const notified = async (person: Caller) =>
    (await person.listNotifications()).notifications.filter(({ type }) => type === "key_revoked");
  const post = (caller: Caller, body: string, options = {}) =>
    caller.call("createPost", { title: "Mine", body }, options);

  // Each field leads to the same revocation, which the tests below cover on both engines.
  if (runsOnceTests(engine))
    test.each(places)("is refused in %s and revoked, and its owner notified", async (_, op, field) => {
      const inputs = inputsFor(await makeFixtures(sender), {
        person: sender,
        agent: senderAgent,
        keyId: senderAgent.keyId,
      });
      const { secret, hint } = await mint();
      const before = await dump(tandem.storage);
      const input = { ...inputs[op.name as OperationName], [field]: valueWith(secret, op, field) };
      const response = await sender.call(op.name as OperationName, input, {
        idempotencyKey: `once ${op.name} ${field}`,
      });
      expect([response.status, response.body.code, response.body.field]).toEqual([400, "key_exposed", field]);
      expect(JSON.stringify([response.body, [...response.headers]])).not.toContain(secret);
      expect(await isLive(secret)).toBe(false);
      const [latest] = await notified(owner);
      expect(latest).toMatchObject({
        keyHint: hint,
        postId: null,
        actor: { username: agent.agent.username },
        read: false,
      });
      const after = await dump(tandem.storage);
      for (const table of [
        "posts",
        "comments",
        "products",
        "idempotency",
        "lives",
        "follows",
        "quota_windows",
      ])
        expect(after[table]).toEqual(before[table]);
      expect(JSON.stringify(after)).not.toContain(secret);
    });

  test("causes one notification, even if sent several times at once and with other keys", async () => {
    const keys = await Promise.all([mint(), mint(), mint(), mint()]);
    const { unread } = await owner.countNotifications();
    const turns = [0, 1, 2, 3, 0, 1, 2, 3].map((first) => [...keys.slice(first), ...keys.slice(0, first)]);
    const responses = await Promise.all(
      turns.map((turn) => post(sender, turn.map(({ secret }) => secret).join(" "))),
    );
    expect(responses.map(({ body }) => body.code)).toEqual(Array(8).fill("key_exposed"));
    const hints = (await notified(owner)).slice(0, 4).map(({ keyHint }) => keyHint);
    expect(hints.sort()).toEqual(keys.map(({ hint }) => hint).sort());
    expect(await owner.countNotifications()).toEqual({ unread: unread + 4 });
  });

  test("is found next to other keys and words, and if percent-encoded", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, mint));
    const [a, b, c, d, e] = keys.map(({ secret }) => secret) as [string, string, string, string, string];
    const url = `https://example.org/${encodeURIComponent(`?${c}`).replaceAll("_", "%5f")}`;
    const body = `${newKey()}${a}x ${b}`;
    const response = await sender.call("createPost", { title: d, body, url, alt: `é${e}é` });
    expect(response.body).toMatchObject({ code: "key_exposed", field: "title" });
    expect(await Promise.all(keys.map(({ secret }) => isLive(secret)))).toEqual(Array(5).fill(false));
  });

  test("is found across line breaks and soft hyphens", async () => {
    for (const within of ["\n", "\r\n  ", "\u00AD"]) {
      const { secret } = await mint();
      const broken = `Look: ${secret.slice(0, 3)}${within}${secret.slice(3)} and on`;
      expect((await post(sender, broken)).body.code).toBe("key_exposed");
      expect(await isLive(secret)).toBe(false);
    }
  });

  test("is refused as an Idempotency-Key, which would be stored", async () => {
    const { secret } = await mint();
    for (const idempotencyKey of [secret, `Bearer ${secret}`]) {
      const refused = await post(sender, "Nothing", { idempotencyKey });
      expect(refused.body).toMatchObject({ code: "invalid_input", field: "Idempotency-Key" });
      expect(JSON.stringify(refused.body)).not.toContain(secret);
    }
    expect(JSON.stringify(await dump(tandem.storage))).not.toContain(secret);
    expect(await isLive(secret)).toBe(true);
    await post(sender, secret);
  });

  test("is revoked if sent in a dry run, in a form or with that key itself", async () => {
    const [dry, form, own] = await Promise.all([mint(), mint(), mint()]);
    expect((await post(sender, dry.secret, { dryRun: true })).body.code).toBe("key_exposed");
    const inForm = await sender.call("createPost", { title: "Mine", alt: form.secret, image: pixel });
    expect(inForm.body).toMatchObject({ code: "key_exposed", field: "alt" });
    const holder = tandem.as.bearer(own.secret);
    expect((await post(holder, own.secret)).body.code).toBe("key_exposed");
    expect((await post(holder, "Nothing")).status).toBe(401);
    for (const { secret } of [dry, form]) expect(await isLive(secret)).toBe(false);
    expect(
      (await notified(owner))
        .slice(0, 3)
        .map(({ keyHint }) => keyHint)
        .sort(),
    ).toEqual([dry, form, own].map(({ hint }) => hint).sort());
  });

  test("causes a notification to the owner of a personal key, even if they sent it", async () => {
    const person = await tandem.as.human();
    const { secret, key } = await person.mintKey({});
    await post(person, String(secret));
    expect(await notified(person)).toMatchObject([
      { keyHint: key.hint, actor: { username: person.user.username } },
    ]);
    expect(await person.countNotifications()).toEqual({ unread: 1 });
    expect(await person.markNotificationsRead()).toEqual({ unread: 0 });
  });

  test("is refused just the same if unknown or revoked, and then changes nothing", async () => {
    const { key, secret } = await owner.mintKey({});
    await owner.revokeKey({ id: key.id });
    const before = await dump(tandem.storage);
    const responses = await Promise.all([post(sender, newKey()), post(sender, String(secret))]);
    expect(await dump(tandem.storage)).toEqual(before);
    const live = await post(sender, (await mint()).secret);
    // The response doesn't reveal whether a key is live.
    expect(responses.map(({ body }) => body)).toEqual([live.body, live.body]);
  });

  test("is accepted in private fields; text that only resembles one is accepted everywhere", async () => {
    const { secret } = await mint();
    expect((await sender.call("listPosts", { q: secret })).status).toBe(200);
    const likely = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"} tandem_live_ab12… tandem_live_ %zz%`;
    expect((await post(sender, likely)).status).toBe(200);
    expect(await isLive(secret)).toBe(true);
    await post(sender, secret);
  });

  test("isn't logged", async () => {
    const lines: string[] = [];
    const logger = { level: "trace", stream: { write: (line: string) => void lines.push(line) } };
    const { server } = createApp({ config: readConfig({}), storage: tandem.storage, logger });
    const { secret } = await mint();
    const payload = { title: "Mine", body: secret };
    const headers = sender.options.headers ?? {};
    const { statusCode } = await server.inject({ method: "POST", url: "/api/posts", headers, payload });
    await server.close();
    expect(statusCode).toBe(400);
    expect(lines.join()).toContain("createPost returned 400");
    expect(lines.join()).not.toContain(secret);
  });
});

test("finding keys is fast in any text", async () => {
  const alike = `tandem_live_${"0".repeat(33)}`;
  const texts = ["tandem_live_", alike, "%74andem_live_", "%", "%7", newKey()].map((piece) =>
    piece.repeat(10_000 / piece.length),
  );
  const look = () => {
    for (const text of texts) keysIn(text);
  };
  expect(await lowestCpuTime(250, look)).toBeLessThan(250);
  expect(keysIn(`${alike}${"1".repeat(6)}`)).toEqual([]);
});
