import { errors } from "@tandem/contract/errors";
import { isWrite, listIn, type Operation, takesForm, takesJson } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { shownFields } from "@tandem/contract/unknown-fields";
import { makeAdminWithSource } from "@tandem/testing/admins";
import { badField, goodInput } from "@tandem/testing/arbitrary";
import type { CallResponse, Person } from "@tandem/testing/callers";
import { makeFixtures } from "@tandem/testing/inputs";
import { sendRequest } from "@tandem/testing/raw-http";
import { type EngineName, engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import Type, { type TObject, type TSchema } from "typebox";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Inputs per property. They are random, so every run tries others. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);

/** Fields that can be valid by the schema and still be rejected, and why. */
const senseless: Partial<Record<OperationName, Record<string, string>>> = {
  logIn: { email: "neither an email address nor a username" },
  signUp: { email: "in the domain of agents" },
  follow: { author: "the caller" },
  mute: {
    author: "no target, or without a platform",
    platform: "without an author",
    word: "a second target, or without a word",
    tag: "a second target, or not a tag",
    until: "in the past",
  },
  unmute: {
    author: "no target, or without a platform",
    platform: "without an author",
    word: "a second target, or without a word",
    tag: "a second target, or not a tag",
  },
  followTag: { tag: "not a tag" },
  unfollowTag: { tag: "not a tag" },
  createSavedSearch: { q: "no filter", until: "before since" },
  sendMessage: { username: "the caller" },
  endSession: { id: "neither one session nor all others" },
  beginPasskey: { password: "missing" },
  addPasskey: { clientDataJSON: "not from a browser" },
  removePasskey: { password: "missing" },
  deleteAccount: { password: "missing" },
  changePassword: { currentPassword: "missing" },
  endAccess: { password: "missing" },
  reauthenticate: { password: "missing" },
  mintKey: { expiresAt: "in the past" },
  createAgent: { expiresAt: "in the past" },
  changeEmail: { email: "in the domain of agents", password: "missing" },
  beginTwoFactor: { password: "missing" },
  endTwoFactor: { password: "missing" },
  listPosts: { cursor: "beyond the depth of the hot feed", until: "before since" },
  listSimilarPosts: { q: "missing, without a post", postId: "next to a text" },
  createPost: {
    alt: "without a file",
    alts: "without files, or next to alt",
    poll: "closed, or with options that differ only in blanks or case",
  },
  createDraft: { poll: "closed at the time of publication, or as in createPost" },
  publishDraft: { poll: "closed since the draft was written" },
  vote: { choices: "an option that the poll doesn't have" },
  editPost: { alt: "of a post without a file", alts: "of a post without pictures, or next to alt" },
  editDraft: { alt: "of a post without a file", alts: "as in editPost", poll: "as in createDraft" },
  createReport: {
    postId: "no target",
    commentId: "a second target",
    username: "a second target",
    community: "a second target",
  },
  createAppeal: { decisionId: "appealed already" },
  resolveReports: { action: "an account can't be removed", until: "in the past" },
  suspendAccount: { until: "in the past" },
  denyLink: { host: "numbers that aren't an address" },
  allowLink: { host: "numbers that aren't an address" },
  editPreferences: { emailDigest: "this service sends no email" },
  subscribeToPush: { endpoint: "not a public address", p256dh: "not a point of the curve" },
};

const named = operationList.map((op) => [op.name, op] as const);
/** form.test.ts covers operations that accept only forms. */
const withoutForm = named.filter(([, op]) => takesJson(op) || !takesForm(op));
const hasFields = ({ properties }: Operation["body"]) => Object.keys(properties).length > 0;
const withInput = named.filter(
  ([, op]) => hasFields(op.params) || hasFields(op.query) || (hasFields(op.body) && takesJson(op)),
);
const withBody = named.filter(([, op]) => hasFields(op.body) && takesJson(op));

describe.each(engines)("any input on %s", (engine) => {
  const holds = propertyOn(engine);
  let tandem: Tandem;
  let person: Person;
  beforeAll(async () => {
    const env = { LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "1000000" };
    tandem = await startTandem(engine, { env });
    person = await tandem.as.human();
    await makeAdminWithSource(tandem.storage, person);
    await Promise.all(Array.from({ length: 5 }, () => makeFixtures(person)));
  });
  afterAll(() => tandem.stop());

  test.each(withoutForm)(
    "%s accepts what its schemas allow, and its response matches its schema",
    async (_, op) => {
      // These end the caller's session, or may if the id is its own or that of an agent whose session replaces it.
      const dryRun = ["logOut", "endSession", "openAgentSession"].includes(op.name)
        ? fc.constant(true)
        : isWrite(op)
          ? fc.boolean()
          : fc.constant(false);
      await holds(goodInput(op), dryRun, async (input, dryRun) => {
        const response = await person.call(op.name as OperationName, input, { dryRun });
        expect(complaintAbout(op, input, response)).toBe(null);
      });
    },
  );

  if (runsOnceTests(engine))
    test.each(withInput)("%s rejects what its schemas don't allow", async (_, op) => {
      await holds(goodInput(op), badField(op), async (input, { name, value }) => {
        const { status, body } = await person.call(op.name as OperationName, { ...input, [name]: value });
        expect([status, body.field]).toEqual([400, name]);
      });
    });

  if (runsOnceTests(engine))
    test.each(withoutForm)(
      "%s refuses every field and query parameter that it doesn't take",
      async (_, op) => {
        const caller = op.access.kind === "key" ? await tandem.as.agent() : person;
        const path = op.path.replace(
          /\{(\w+)\}/g,
          (_, name: string) =>
            ({
              id: "1",
              deliveryId: "1",
              quotingId: "1",
              platform: "native",
              code: "BBBB-BBBB",
              request: "BBBBBBBB",
              name: "rules",
              kind: "profile",
            })[name] ?? "ada",
        );
        const authorization = caller.options.key && { authorization: `Bearer ${caller.options.key}` };
        const headers = { ...caller.options.headers, ...authorization, "content-type": "application/json" };
        const request = { method: op.method, path, headers };
        await holds(unknownName(op), fc.jsonValue(), async (name, value) => {
          const inQuery = { ...request, path: `${path}?${encodeURIComponent(name)}=1` };
          const inBody = { ...request, body: JSON.stringify({ [name]: value }) };
          for (const sent of isWrite(op) ? [inQuery, inBody] : [inQuery]) {
            const { status, body } = await sendRequest(tandem.baseUrl, sent);
            // Links to other paths may have any parameters.
            if (!op.path.startsWith("/api/")) expect(status).not.toBe(400);
            else expect([status, body.code, body.field]).toEqual([400, "invalid_input", name.slice(0, 100)]);
          }
        });
      },
    );

  if (runsOnceTests(engine))
    test.each(withBody)("%s never fails with 500 for any JSON or bytes", async (_, op) => {
      const path = op.path.replace("{id}", "1");
      const headers = { ...person.options.headers, "content-type": "application/json" };
      const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((array) => Buffer.from(array));
      await holds(fc.oneof(fc.json(), bytes), fc.constant(null), async (body) => {
        const { method } = op;
        const response = await sendRequest(tandem.baseUrl, {
          method,
          path: `${path}?dryRun=1`,
          headers,
          body,
        });
        expect(response.status).toBeLessThan(500);
        if (!isObject(body)) expect(response.status).toBe(400);
      });
    });

  test("any URL gets a regular response", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const any = fc.oneof(
      text.map(encodeURIComponent),
      text.map((raw) => raw.replace(/[^!-~]/gu, "%")),
    );
    const start = fc.constantFrom("api/posts", "api/posts/", "out/", "api/creators/search", "");
    await holds(start, fc.tuple(any, any), async (start, [path, query]) => {
      const response = await sendRequest(tandem.baseUrl, { path: `/${start}${path}?${query}` });
      expect([200, 302, 400, 401, 404]).toContain(response.status);
      if (response.status >= 400) expect(Object.keys(errors)).toContain(response.body.code);
    });
  });
});

/** A name that neither the operation takes nor its resource shows. */
function unknownName(op: Operation): fc.Arbitrary<string> {
  const { readOnly, fixed } = shownFields(op);
  const names = [op.query, op.body].flatMap(({ properties }) => Object.keys(properties));
  const known = new Set([...names, ...readOnly, ...fixed, "dryRun"]);
  const odd = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "length",
    ...names.map((name) => `${name}s`),
  ];
  return fc
    .oneof(fc.constantFrom(...odd), fc.string({ unit: "binary", maxLength: 300 }))
    .filter((name) => name !== "" && !known.has(name) && !name.startsWith("_"));
}

/** On PostgreSQL, fewer inputs show that the same statements run there. */
function propertyOn(engine: EngineName) {
  const numRuns = engine === "sqlite" ? RUNS : Math.ceil(RUNS / 3);
  return <A, B>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>, law: (a: A, b: B) => Promise<void>) =>
    fc.assert(fc.asyncProperty(a, b, law), { numRuns });
}

/** What is wrong about the response to valid input, or null. */
function complaintAbout(op: Operation, input: object, { status, body }: CallResponse): string | null {
  if (status === 302) return op.redirects ? null : "it redirects";
  // Other tests check the events.
  if (op.streams && status === 200) return null;
  if (status === 200) {
    const { dryRun: _, ...response } = body;
    const schema = schemaOf(op, input);
    const declared = Value.Clean(schema, structuredClone(response));
    if (JSON.stringify(declared) !== JSON.stringify(response)) return "it has undeclared fields";
    return Value.Check(schema, response) ? null : `it doesn't match the schema: ${JSON.stringify(response)}`;
  }
  const { code, field } = body as { code: keyof typeof errors; field?: string };
  if (status !== errors[code]?.status) return `${code} came with ${status}`;
  const explained = op.errors.includes(code) || senseless[op.name as OperationName]?.[field ?? ""];
  const byAccess = op.access.kind === "key" && code === "forbidden";
  return explained || byAccess ? null : `${status} ${code} ${field}: ${body.error}`;
}

/** If only some fields are requested, the items contain exactly these. */
function schemaOf(op: Operation, { fields }: { fields?: string }): TSchema {
  const list = listIn(op);
  if (!list || fields === undefined) return op.response;
  const { properties } = op.response as TObject;
  return Type.Object({ ...properties, [list.name]: Type.Array(Type.Pick(list.item, fields.split(","))) });
}

function isObject(body: string | Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
