import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operationList, operations } from "@tandem/contract/operations";
import type { Caller, CallResponse } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { addFixtures, inputsFor, makeFixtures } from "@tandem/testing/inputs";
import { quickFetch } from "@tandem/testing/quick-fetch";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OpenApiReader } from "./openapi-reader.ts";
import type { Json } from "./schemas.ts";

const names = Object.keys(operations) as OperationName[];

/** On one database: property.slow.test.ts checks on both that responses match their schemas, from which the document is made. */
describe("responses match the OpenAPI document", () => {
  let tandem: Tandem;
  let reader: OpenApiReader;
  beforeAll(async () => {
    tandem = await startTandem();
    reader = new OpenApiReader(await (await fetch(`${tandem.baseUrl}/api/openapi.json`)).json());
  });
  afterAll(() => tandem.stop());

  /** Validates a response against the document alone: status, code, headers and body. */
  function expectAsDescribed(name: OperationName, { status, headers, body }: CallResponse): void {
    const summary = `${name} answered ${status} ${JSON.stringify(body)}`;
    const at = reader.response(name, status);
    expect(reader.at(at), summary).toBeDefined();
    const described = reader.at(at) as { headers?: Json; content?: Json };
    const known = Object.keys(described.headers ?? {}).map((header) => header.toLowerCase());
    const documentedHeaders =
      /^(ratelimit.*|retry-after|etag|link|location|set-cookie|idempotency-replayed)$/;
    const sent = [...headers.keys()].filter((header) => documentedHeaders.test(header));
    expect(known, summary).toEqual(expect.arrayContaining(sent));
    // Other tests cover the content of streams.
    if (described.content?.["application/json"] === undefined) {
      expect(body).toEqual({});
      return;
    }
    const validate = reader.validator(`${at}/content/application~1json/schema`);
    expect(validate(body), `${summary}: ${JSON.stringify(validate.errors)}`).toBe(true);
    if (status < 400) return;
    const examples = reader.at(`${at}/content/application~1json/examples`) as Record<string, { value: Json }>;
    // Only errors about a field have these.
    const { field: _, errors: __, ...always } = body;
    expect(Object.keys(examples[String(body.code)]?.value ?? {}), summary).toEqual(
      expect.arrayContaining(Object.keys(always)),
    );
  }

  /** A person with data of every kind, and with activity by others on it. */
  async function makeTestUser() {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const poorKey = await tandem.as.key([], person);
    const { keyId } = poorKey;
    const own = await makeFixtures(person);
    const liker = await tandem.as.agent();
    await liker.likePost({ id: own.postId });
    await liker.createComment({ id: own.postId, body: "It is.", parentId: own.commentId });
    await person.attachProduct({ id: own.postId, productId: own.productId });
    await person.follow({ platform: "native", author: liker.agent.username });
    await person.startLive({ title: "Weaving now" });
    const others = { person, agent, keyId, ...(await addFixtures(tandem, person, agent)) };
    return { person, agent, liker, poorKey, inputs: inputsFor(own, others) };
  }

  type TestUser = Awaited<ReturnType<typeof makeTestUser>>;

  let made: Promise<TestUser> | undefined;
  /** A shared test user, replaced if its session has ended. Refused calls leave it unchanged. */
  async function sharedTestUser() {
    const { status } = (await (await made)?.person.call("me")) ?? {};
    if (status !== 200) made = makeTestUser();
    return await (made as Promise<TestUser>);
  }

  const unconfigured: OperationName[] = ["signInWithGoogle", "signInWithApple"];

  async function askIn({ person, agent, inputs }: TestUser, name: OperationName) {
    const op = operations[name];
    const caller = op.access.kind === "key" ? agent : person;
    if (isWrite(op)) expectAsDescribed(name, await caller.call(name, inputs[name], { dryRun: true }));
    const response = await caller.call(name, inputs[name]);
    expectAsDescribed(name, response);
    return { caller, input: inputs[name], response };
  }

  let used: Promise<TestUser> | undefined;
  /** Calls a write as a shared test user, or as a new one if earlier writes have used up what it needs. */
  async function write(name: OperationName, status: number) {
    const asked = used && (await askIn(await used, name));
    if (asked?.response.status === status) return asked;
    used = makeTestUser();
    return askIn(await used, name);
  }

  test.each(names)("%s", async (name) => {
    const op = operations[name];
    const status = op.redirects ? 302 : unconfigured.includes(name) ? 404 : 200;
    // Reads use a test user whose data no test has changed.
    const { caller, input, response } = isWrite(op)
      ? await write(name, status)
      : await askIn(await sharedTestUser(), name);
    expect(response.status).toBe(status);
    if (op.access.kind === "anyone" && !isWrite(op))
      expectAsDescribed(name, await tandem.as.anonymous().call(name, input));
    if (isWrite(op) || op.redirects || op.streams) return;
    // A key's last use is recorded after the response, which changes the ETag once more.
    const unchanged = await eventually(async () => {
      const etag = (await caller.call(name, input)).headers.get("etag");
      const again = await caller.call(name, input, { headers: { "if-none-match": String(etag) } });
      expect(again.status).toBe(304);
      return again;
    });
    expectAsDescribed(name, unchanged);
  });

  test.each(operationList)("errors of $name", async (op) => {
    const name = op.name as OperationName;
    const { person, agent, liker, poorKey, inputs } = await sharedTestUser();
    for (const id of ["999999999", "none"]) expectAsDescribed(name, await sendBroken(person, name, { id }));
    expectAsDescribed(name, await liker.call(name, inputs[name]));
    const agentSession = await tandem.as.agentSession(person, agent.agent.id);
    const callers = [tandem.as.anonymous(), tandem.as.bearer("none"), poorKey, agentSession];
    for (const caller of callers) expectAsDescribed(name, await caller.call(name, inputs[name]));
    const away = { headers: { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" } };
    expectAsDescribed(name, await person.call(name, inputs[name], away));
    const fields = Object.keys({ ...op.params.properties, ...op.query.properties, ...op.body.properties });
    for (const field of fields) {
      const input = { ...inputs[name], [field]: "\0" };
      expectAsDescribed(name, await person.call(name, input));
    }
    for (const broken of brokenRequests) expectAsDescribed(name, await sendBroken(person, name, broken));
  });

  const brokenRequests = [
    { query: "%ff=1" },
    { query: "dryRun=2" },
    { type: ";;;", body: "x" },
    { type: "text/plain", body: "x" },
    { type: "application/json", body: "{" },
    { type: "application/json", body: "[]" },
    { type: "application/json", body: " ".repeat(1_100_000) },
  ];

  async function sendBroken(
    caller: Caller,
    name: OperationName,
    { query = "", type = "application/json", body = "", id = "1" }: Partial<Record<string, string>>,
  ): Promise<CallResponse> {
    const { method, path } = operations[name];
    const url = `${tandem.baseUrl}${path.replace("{id}", id)}?${query}`;
    const headers = { ...caller.options.headers, "content-type": type };
    const payload = method === "GET" || body === "" ? null : body;
    const response = await quickFetch(url, { method, headers, body: payload });
    const endless = operations[name].streams && response.ok;
    if (endless) await response.body?.cancel();
    const text = endless ? "" : await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
  }

  test("a replay, a reused idempotency key, and an exhausted limit", async () => {
    await using strict = await startTandem("sqlite", { env: { LIMIT_TIERS_PROBATION_POSTS: "1" } });
    const key = await strict.as.key(["posts:write"]);
    const once = { idempotencyKey: "once" };
    const first = await key.call("createPost", { title: "A" }, once);
    const replayed = await key.call("createPost", { title: "A" }, once);
    const mismatched = await key.call("createPost", { title: "B" }, once);
    const limited = await key.call("createPost", { title: "C" });
    const responses = [first, replayed, mismatched, limited];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 422, 429]);
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    for (const response of responses) expectAsDescribed("createPost", response);
  });
});
