import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operationList, operations } from "@tandem/contract/operations";
import type { Caller, RawAnswer } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { addFixtures, inputsFor, makeFixtures } from "@tandem/testing/inputs";
import { engines, runsHttpTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Reader } from "./reader.ts";
import type { Json } from "./schemas.ts";

const names = Object.keys(operations) as OperationName[];

let shared: Reader | undefined;
/** One reader for both databases, as compiling the schemas takes long: the document knows the service's address and nothing else. */
async function readDocument({ baseUrl }: Tandem): Promise<Reader> {
  const text = await (await fetch(`${baseUrl}/api/openapi.json`)).text();
  const document = JSON.parse(text.replaceAll(baseUrl, "https://tandem.test"));
  shared ??= new Reader(document);
  expect(document).toEqual(shared.document);
  return shared;
}

/** Whether the service keeps to what it says of itself. */
describe.each(engines)("real answers on %s are as the document says", (engine) => {
  let tandem: Tandem;
  let reader: Reader;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    reader = await readDocument(tandem);
  });
  afterAll(() => tandem.stop());

  /** Judges an answer by the document alone: status, code, headers and body. */
  function expectAsDescribed(name: OperationName, { status, headers, body }: RawAnswer): void {
    const told = `${name} answered ${status} ${JSON.stringify(body)}`;
    const at = reader.response(name, status);
    expect(reader.at(at), told).toBeDefined();
    const described = reader.at(at) as { headers?: Json; content?: Json };
    const known = Object.keys(described.headers ?? {}).map((header) => header.toLowerCase());
    const noteworthy = /^(ratelimit.*|retry-after|etag|link|location|set-cookie|idempotency-replayed)$/;
    const sent = [...headers.keys()].filter((header) => noteworthy.test(header));
    expect(known, told).toEqual(expect.arrayContaining(sent));
    // What a stream brings is another test's.
    if (described.content?.["application/json"] === undefined) {
      expect(body).toEqual({});
      return;
    }
    const judge = reader.judge(`${at}/content/application~1json/schema`);
    expect(judge(body), `${told}: ${JSON.stringify(judge.errors)}`).toBe(true);
    if (status < 400) return;
    const examples = reader.at(`${at}/content/application~1json/examples`) as Record<string, { value: Json }>;
    const { field: _, ...always } = body;
    expect(Object.keys(examples[String(body.code)]?.value ?? {}), told).toEqual(
      expect.arrayContaining(Object.keys(always)),
    );
  }

  /** Somebody with something of everything, in a world where something has happened to it. */
  async function makeHousehold() {
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
    const household = { person, agent, keyId, ...(await addFixtures(tandem, person, agent)) };
    return { person, agent, liker, poorKey, inputs: inputsFor(own, household) };
  }

  type TestUser = Awaited<ReturnType<typeof makeHousehold>>;

  let made: Promise<TestUser> | undefined;
  /** The same one as long as nobody logs it out: of what is refused little is left. */
  async function household() {
    const { status } = (await (await made)?.person.call("me")) ?? {};
    if (status !== 200) made = makeHousehold();
    return await (made as Promise<TestUser>);
  }

  const unconfigured: OperationName[] = ["signInWithGoogle", "signInWithApple"];

  async function askIn({ person, agent, inputs }: TestUser, name: OperationName) {
    const op = operations[name];
    const caller = op.access.kind === "key" ? agent : person;
    if (isWrite(op)) expectAsDescribed(name, await caller.call(name, inputs[name], { dryRun: true }));
    const answer = await caller.call(name, inputs[name]);
    expectAsDescribed(name, answer);
    return { caller, input: inputs[name], answer };
  }

  let used: Promise<TestUser> | undefined;
  /** Where others wrote before; where they have used up what this one needs, in a new household. */
  async function write(name: OperationName, status: number) {
    const asked = used && (await askIn(await used, name));
    if (asked?.answer.status === status) return asked;
    used = makeHousehold();
    return askIn(await used, name);
  }

  test.each(names)("%s", async (name) => {
    const op = operations[name];
    const status = op.redirects ? 302 : unconfigured.includes(name) ? 404 : 200;
    // What is read is all there: nobody has written in that household.
    const { caller, input, answer } = isWrite(op)
      ? await write(name, status)
      : await askIn(await household(), name);
    expect(answer.status).toBe(status);
    if (op.access.kind === "anyone" && !isWrite(op))
      expectAsDescribed(name, await tandem.as.anonymous().call(name, input));
    if (isWrite(op) || op.redirects || op.streams) return;
    // A key's use is noted after the answer, so what tells of it changes once more.
    const unchanged = await eventually(async () => {
      const etag = (await caller.call(name, input)).headers.get("etag");
      const again = await caller.call(name, input, { headers: { "if-none-match": String(etag) } });
      expect(again.status).toBe(304);
      return again;
    });
    expectAsDescribed(name, unchanged);
  });

  test.each(operationList)("refusals of $name", async (op) => {
    const name = op.name as OperationName;
    const { person, agent, liker, poorKey, inputs } = await household();
    for (const id of ["999999999", "none"]) expectAsDescribed(name, await sendBroken(person, name, { id }));
    expectAsDescribed(name, await liker.call(name, inputs[name]));
    if (!runsHttpTests(engine)) return;
    const agentSession = await tandem.as.agentSession(person, agent.agent.id);
    const callers = [tandem.as.anonymous(), tandem.as.bearer("none"), poorKey, agentSession];
    for (const caller of callers) expectAsDescribed(name, await caller.call(name, inputs[name]));
    const away = { headers: { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" } };
    expectAsDescribed(name, await person.call(name, inputs[name], away));
    const absurd = Object.keys({ ...op.params.properties, ...op.query.properties, ...op.body.properties });
    for (const field of absurd) {
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
  ): Promise<RawAnswer> {
    const { method, path } = operations[name];
    const url = `${tandem.baseUrl}${path.replace("{id}", id)}?${query}`;
    const headers = { ...caller.options.headers, "content-type": type };
    const payload = method === "GET" || body === "" ? null : body;
    const response = await fetch(url, { method, headers, body: payload, redirect: "manual" });
    const endless = operations[name].streams && response.ok;
    if (endless) await response.body?.cancel();
    const text = endless ? "" : await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
  }

  test("a repetition, a key used twice, and a limit used up", async () => {
    await using strict = await startTandem(engine, { env: { LIMIT_TIERS_PROBATION_POSTS: "1" } });
    const key = await strict.as.key(["posts:write"]);
    const once = { idempotencyKey: "once" };
    const first = await key.call("createPost", { title: "A" }, once);
    const replayed = await key.call("createPost", { title: "A" }, once);
    const mismatched = await key.call("createPost", { title: "B" }, once);
    const limited = await key.call("createPost", { title: "C" });
    const answers = [first, replayed, mismatched, limited];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 429]);
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    for (const answer of answers) expectAsDescribed("createPost", answer);
  });
});
