import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkReceipt } from "@tandem/client/check-receipt";
import { createClient } from "@tandem/client/create-client";
import { DAY, HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE } from "@tandem/contract/signatures";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { eventually } from "@tandem/testing/eventually";
import { formBytes, formType } from "@tandem/testing/forms";
import {
  contentDigest,
  KeyDirectory,
  newSigningKey,
  type Signed,
  signatureHeaders,
  trustedCertificate,
} from "@tandem/testing/key-directory";
import { type Certificate, loopback, type Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { type RawResponse, sendRequest } from "@tandem/testing/raw-http";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { integrate } from "../features/transparency-log/integrate.ts";

/** What a test changes about a correctly signed request. */
interface Changes {
  /** What is signed. */
  signed?: (correct: Signed) => Partial<Signed>;
  /** What is sent. */
  headers?: (correct: Record<string, string>) => Record<string, string>;
  body?: string | Buffer;
  path?: string;
}

let certificate: Certificate;
beforeAll(async () => {
  certificate = await trustedCertificate();
}, 60_000);

const clock = stoppedClock();
const seconds = () => Math.floor(clock.now() / SECOND);
let nonces = 0;

/** What it takes to sign a post by an agent. */
function signedPost({ baseUrl }: Tandem, directory: KeyDirectory, text: string, path = "/api/posts") {
  const body = JSON.stringify({ title: text });
  const digest = contentDigest(body);
  const agent = `"${directory.origin.url}"`;
  nonces += 1;
  const signed: Signed = {
    key: directory.key,
    components: [
      ['"@method"', "POST"],
      ['"@target-uri"', baseUrl + path],
      ['"content-digest"', digest],
      ['"signature-agent";key="sig1"', agent],
    ],
    parameters: {
      created: seconds(),
      expires: seconds() + 60,
      keyid: directory.key.jwk.kid,
      nonce: String(nonces),
      tag: "web-bot-auth",
    },
  };
  return { body, signed, others: { "content-digest": digest, "signature-agent": `sig1=${agent}` } };
}

async function send(
  tandem: Tandem,
  caller: AgentCaller,
  directory: KeyDirectory,
  {
    signed: change = () => ({}),
    headers: alter = (given) => given,
    path = "/api/posts",
    ...changes
  }: Changes = {},
): Promise<RawResponse> {
  const { body, signed, others } = signedPost(tandem, directory, "On kettles", path);
  const headers = alter({ ...others, ...signatureHeaders({ ...signed, ...change(signed) }) });
  const own = { authorization: `Bearer ${caller.options.key}`, "content-type": "application/json" };
  const request = { method: "POST", path, headers: { ...own, ...headers }, body: changes.body ?? body };
  return sendRequest(tandem.baseUrl, request);
}

const resultOf = ({ headers }: Pick<RawResponse, "headers">) => headers.get("signature-result");

describe.each(engines)("signed requests on %s", (engine) => {
  let tandem: Tandem;
  let directory: KeyDirectory;
  let ada: Person;
  let agent: AgentCaller;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: loopback, now: clock.now });
    directory = await KeyDirectory.start(certificate);
  });
  beforeEach(async () => {
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
  });
  afterAll(async () => {
    await tandem.stop();
    await directory[Symbol.asyncDispose]();
  });
  const consoleOf = async (person: Person) =>
    (await person.listActivity({})).activity.map(({ operation, signer }) => [operation, signer]);

  test("the console, the key and the receipt say whose software sent a write", async () => {
    const response = await send(tandem, agent, directory);
    expect(resultOf(response)).toBe(`verified;by="${directory.host}"`);
    const { id } = (response.body as { post: { id: number } }).post;
    expect((await agent.readOwnKey()).recentActivity).toMatchObject([{ signer: directory.host }]);
    const comment = await send(tandem, agent, directory, {
      path: `/api/posts/${id}/comments`,
      signed: ({ components: [method, target, , by] }) => ({
        components: [method, target, ['"content-digest"', contentDigest('{"body":"Hot"}')], by] as never,
      }),
      headers: (given) => ({ ...given, "content-digest": contentDigest('{"body":"Hot"}') }),
      body: '{"body":"Hot"}',
    });
    expect(comment.status).toBe(200);
    await agent.editPost({ id, title: "On pots" });
    expect(await consoleOf(ada)).toEqual([
      ["editPost", null],
      ["createComment", directory.host],
      ["createPost", directory.host],
    ]);
    const commentId = (comment.body as { comment: { id: number } }).comment.id;
    const signers = async () => {
      const receipts = [
        agent.readPostReceipt({ id, version: 1 }),
        agent.readPostReceipt({ id }),
        agent.readCommentReceipt({ id: commentId }),
      ];
      return (await Promise.all(receipts)).map(({ receipt }) => [
        receipt.signer,
        "signer" in JSON.parse(receipt.entry),
      ]);
    };
    const expected = [
      [directory.host, true],
      [null, false],
      [directory.host, true],
    ];
    expect(await signers()).toEqual(expected);
    await integrate(tandem.services);
    expect(await signers()).toEqual(expected);
    const target = { baseUrl: tandem.baseUrl, postId: id, commentId };
    const check = async (change: (text: string) => string) => {
      const altered: typeof fetch = async (...request) => {
        const response = await fetch(...request);
        return response.url.endsWith("/receipt")
          ? new Response(change(await response.text()), response)
          : response;
      };
      return (await checkReceipt(target, { fetch: altered })).results.author;
    };
    const signer = `"signer":"${directory.host}"`;
    expect(await check((text) => text)).toBe("passed");
    expect(await check((text) => text.replace(signer, '"signer":"openai.com"'))).toBe("failed");
    expect(await check((text) => text.replace(signer, '"signer":null'))).toBe("failed");
  });

  test("a signature counts once, for whoever uses it first", async () => {
    const other = await tandem.as.agent(ada);
    const { body, signed, others } = signedPost(tandem, directory, "On spoons");
    const headers = { ...others, ...signatureHeaders(signed), "content-type": "application/json" };
    const sendAs = ({ options }: AgentCaller, path = "/api/posts") =>
      sendRequest(tandem.baseUrl, {
        method: "POST",
        path,
        body,
        headers: { ...headers, authorization: `Bearer ${options.key}` },
      });
    const responses = await Promise.all([sendAs(agent), sendAs(other), sendAs(agent)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses.map(resultOf).toSorted()).toEqual([
      expect.stringMatching(/^not-verified;detail="This signature was used before/),
      expect.stringMatching(/^not-verified;detail="This signature was used before/),
      `verified;by="${directory.host}"`,
    ]);
    expect((await consoleOf(ada)).filter(([, signer]) => signer !== null)).toHaveLength(1);
    const receipts = responses.map(({ body }) =>
      agent.readPostReceipt({ id: (body as { post: { id: number } }).post.id }),
    );
    const signers = (await Promise.all(receipts)).map(({ receipt }) => receipt.signer);
    expect(signers.filter((signer) => signer !== null)).toEqual([directory.host]);
  });

  test("a dry run and a refused write don't use a signature up", async () => {
    const { signed, others } = signedPost(tandem, directory, "On kettles");
    const components = signed.components.map(([name, value]) =>
      name === '"@target-uri"'
        ? (['"@authority"', new URL(tandem.baseUrl).host] as const)
        : ([name, value] as const),
    );
    const same = { ...others, ...signatureHeaders({ ...signed, components }) };
    const again = { headers: () => same };
    const partial = expect.stringContaining(
      `verified;by="${directory.host}";detail="Receipts name the signer only`,
    );
    expect(resultOf(await send(tandem, agent, directory, { ...again, path: "/api/posts?dryRun=1" }))).toEqual(
      partial,
    );
    const refused = await send(tandem, agent, directory, { ...again, path: "/api/posts/999999/comments" });
    expect(refused.status).toBe(400);
    const response = await send(tandem, agent, directory, again);
    expect(resultOf(response)).toEqual(partial);
    expect(await consoleOf(ada)).toEqual([["createPost", directory.host]]);
    // Whoever saw it could have put it on another request.
    const { id } = (response.body as { post: { id: number } }).post;
    expect((await agent.readPostReceipt({ id })).receipt.signer).toBe(null);
  });
});

describe("signatures that don't count", () => {
  let tandem: Tandem;
  let directory: KeyDirectory;
  let other: KeyDirectory;
  /** Publishes the directory's key as its own. */
  let copycat: KeyDirectory;
  let ada: Person;
  let agent: AgentCaller;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: loopback, now: clock.now });
    [directory, other, copycat] = (await Promise.all(
      [1, 2, 3].map(() => KeyDirectory.start(certificate)),
    )) as [KeyDirectory, KeyDirectory, KeyDirectory];
    copycat.publish([directory.key]);
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
  });
  afterAll(async () => {
    await tandem.stop();
    for (const one of [directory, other, copycat]) await one[Symbol.asyncDispose]();
  });

  const parameters =
    (changes: Record<string, string | number>, ...without: string[]) =>
    ({ parameters: given }: Signed): Partial<Signed> => ({
      parameters: Object.fromEntries(
        Object.entries({ ...given, ...changes }).filter(([name]) => !without.includes(name)),
      ),
    });
  const component =
    (identifier: string, ...instead: (readonly [string, string])[]) =>
    ({ components }: Signed): Partial<Signed> => ({
      components: components.flatMap((one) => (one[0] === identifier ? instead : [one])),
    });
  const header =
    (name: string, value: (correct: string) => string | null) => (given: Record<string, string>) => {
      const { [name]: correct = "", ...others } = given;
      const changed = value(correct);
      return changed === null ? others : { ...others, [name]: changed };
    };
  const someoneElse = newSigningKey();
  const byAgent = '"signature-agent";key="sig1"';

  const cases: Record<string, [changes: Changes, detail: string]> = {
    expired: [
      { signed: () => parameters({ created: seconds() - 200, expires: seconds() - 61 })(signedNow()) },
      "Signature has expired",
    ],
    "made in the future": [
      { signed: (given) => parameters({ created: seconds() + 61 })(given) },
      "created in the future",
    ],
    "older than an hour, whatever its end": [
      { signed: (given) => parameters({ created: seconds() - 3661, expires: seconds() + 9e6 })(given) },
      "too old",
    ],
    "without an end": [{ signed: parameters({}, "expires") }, "expires is absent"],
    "without a beginning": [{ signed: parameters({}, "created") }, "created is absent"],
    "without a keyid": [{ signed: parameters({}, "keyid") }, "keyid is absent"],
    "for another purpose": [{ signed: parameters({ tag: "payment" }) }, "No signature has the tag"],
    "by another algorithm": [{ signed: parameters({ alg: "hmac-sha256" }) }, "is not allowed"],
    "by a key that isn't in the directory": [
      { signed: (given) => ({ key: someoneElse, ...parameters({ keyid: someoneElse.jwk.kid })(given) }) },
      "has the thumbprint in keyid",
    ],
    "by another key than keyid names": [
      { signed: () => ({ key: someoneElse }) },
      "isn't that of this request",
    ],
    "for another host": [
      { signed: component('"@target-uri"', ['"@authority"', "other.example"]) },
      "isn't that of this request to 127.0.0.1",
    ],
    "for another host, which it also names as Host": [
      {
        signed: component('"@target-uri"', ['"@authority"', "other.example"]),
        headers: (given) => ({ ...given, host: "other.example" }),
      },
      "isn't that of this request to 127.0.0.1",
    ],
    "for another address": [
      { path: "/api/posts?_=1", signed: component('"@target-uri"', ['"@target-uri"', "http://x/"]) },
      "isn't that",
    ],
    "for no host": [{ signed: component('"@target-uri"', ['"@path"', "/api/posts"]) }, "must cover"],
    "of an altered body": [{ body: '{"title":"On cattle"}' }, "Content-Digest isn't that of the body"],
    "of an altered body, with its digest": [
      {
        body: '{"title":"On cattle"}',
        headers: header("content-digest", () => contentDigest('{"title":"On cattle"}')),
      },
      "isn't that of this request",
    ],
    "with a digest of no known algorithm": [
      {
        signed: component('"content-digest"', ['"content-digest"', "md5=:AAAA:"]),
        headers: header("content-digest", () => "md5=:AAAA:"),
      },
      "Content-Digest isn't",
    ],
    "with one right and one wrong digest": [
      { headers: header("content-digest", (right) => `${right}, sha-512=:AAAA:`) },
      "Content-Digest isn't",
    ],
    "without Signature-Agent": [
      { headers: header("signature-agent", () => null) },
      "Missing field signature-agent",
    ],
    "with a Signature-Agent that it doesn't cover": [{ signed: component(byAgent) }, "must cover"],
    "that claims to be someone else's": [agentAt(() => other.origin.url), "has the thumbprint in keyid"],
    "that someone else's directory would verify, but doesn't name": [
      { headers: header("signature-agent", () => `sig1="${copycat.origin.url}"`) },
      "isn't that of this request",
    ],
    "with a Signature-Agent over http": [
      agentAt((url) => url.replace("https", "http")),
      "must be an https address",
    ],
    "with a path in Signature-Agent": [agentAt((url) => `${url}/mine`), "without a path"],
    "with credentials in Signature-Agent": [agentAt((url) => url.replace("//", "//me@")), "without a path"],
    "with another kind of directory": [agentAt((url) => url, ";type=jwks_uri"), "Only key directories"],
    "with a private address in Signature-Agent": [agentAt(() => "https://10.0.0.1"), "couldn't be loaded"],
    "with two labels for this purpose": [
      {
        headers: (given) => ({
          ...given,
          signature: `${given.signature}, ${given.signature?.replace("sig1", "sig2")}`,
          "signature-input": `${given["signature-input"]}, ${given["signature-input"]?.replace("sig1", "sig2")}`,
        }),
      },
      "More than one signature",
    ],
    "with a label twice": [
      { headers: header("signature", (given) => `sig1=:AAAA:, ${given}`) },
      "duplicate labels",
    ],
    "with a parameter twice": [
      { headers: header("signature-input", (given) => `${given};tag="web-bot-auth"`) },
      "duplicate parameters",
    ],
    "with a component twice": [
      { signed: ({ components }) => ({ components: [...components, ...components.slice(0, 1)] }) },
      "Duplicate component",
    ],
    "with a component that isn't supported": [
      { signed: ({ components }) => ({ components: [...components, ['"@query-param";name="a"', "b"]] }) },
      "not supported",
    ],
    "with very many components": [
      {
        signed: ({ components }) => ({
          components: [...components, ...Array.from({ length: 20 }, (_, i) => [`"x${i}"`, ""] as const)],
        }),
      },
      "at most 12 components",
    ],
    "without its input": [
      { headers: header("signature-input", () => 'sig9=();tag="web-bot-auth"') },
      "label sets differ",
    ],
    "that isn't a structured field": [
      { headers: header("signature-input", () => "keyId=") },
      "isn't a valid dictionary",
    ],
  };

  function signedNow(): Signed {
    return signedPost(tandem, directory, "").signed;
  }

  function agentAt(change: (url: string) => string, more = ""): Changes {
    return {
      signed: ({ components }) => ({
        components: components.map(([name, value]) =>
          name === byAgent
            ? ([name, `"${change(value.slice(1, -1))}"${more}`] as const)
            : ([name, value] as const),
        ),
      }),
      headers: header("signature-agent", (given) => `sig1="${change(given.slice(6, -1))}"${more}`),
    };
  }

  test.each(Object.entries(cases))("%s", async (_, [changes, detail]) => {
    clock.pass(HOUR);
    const response = await send(tandem, agent, directory, changes);
    expect(response.status).toBe(200);
    expect(resultOf(response)).toMatch(/^not-verified;detail="/);
    expect(resultOf(response)).toContain(detail);
    expect((await ada.listActivity({ limit: 1 })).activity).toMatchObject([
      { operation: "createPost", signer: null },
    ]);
    const { id } = (response.body as { post: { id: number } }).post;
    expect((await agent.readPostReceipt({ id })).receipt.signer).toBe(null);
  });

  test("no header makes a write fail", async () => {
    clock.pass(HOUR);
    const piece = fc.constantFrom(
      ...'sig1= : ( ) ; , " \\ @ % * ?1 :AA==: tag="web-bot-auth" "@authority" created=1 keyid https://10.0.0.1 é 99999999999999999'.split(
        " ",
      ),
    );
    const value = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      fc.string({
        unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
        maxLength: 60,
      }),
    );
    const { others, signed } = signedPost(tandem, directory, "");
    const correct: Record<string, string> = { ...others, ...signatureHeaders(signed) };
    const names = Object.keys(correct);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1 }), async (changed) => {
        const headers = Object.fromEntries(
          Object.entries({ ...correct, ...changed }).map(([name, text]) => [
            name,
            Buffer.from(text.trim()).toString("latin1"),
          ]),
        );
        const response = await send(tandem, agent, directory, { headers: () => headers });
        expect(response.status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  test("reads, and writes without an account, aren't looked at", async () => {
    const { signed, others } = signedPost(tandem, directory, "");
    const headers = { ...others, ...signatureHeaders(signed) };
    const before = directory.origin.requests.length;
    const [read, logIn] = await Promise.all([
      sendRequest(tandem.baseUrl, {
        path: "/api/posts",
        headers: { ...headers, authorization: `Bearer ${agent.options.key}` },
      }),
      sendRequest(tandem.baseUrl, {
        method: "POST",
        path: "/api/auth/login",
        headers: { ...headers, "content-type": "application/json" },
        body: "{}",
      }),
    ]);
    expect([read, logIn].map(resultOf)).toEqual([null, null]);
    expect(directory.origin.requests).toHaveLength(before);
  });
});

describe("key directories", () => {
  const { OUTGOING_ALLOW } = loopback;
  let directory: KeyDirectory;
  let tandem: Tandem;
  let agent: AgentCaller;
  const loads = () => directory.origin.requests.length;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: { OUTGOING_ALLOW }, now: clock.now });
  });
  beforeEach(async () => {
    clock.pass(DAY);
    agent = await tandem.as.agent();
    directory = await KeyDirectory.start(certificate);
  });
  afterEach(() => directory[Symbol.asyncDispose]());
  afterAll(() => tandem.stop());
  const result = async (changes?: Changes) => resultOf(await send(tandem, agent, directory, changes));
  const verified = () => `verified;by="${directory.host}"`;
  const failed = expect.stringMatching(/^not-verified;detail="The keys at .* couldn't be loaded/);

  test("are loaded once for many requests, and again when they are stale", async () => {
    directory.publish([directory.key], { "cache-control": "public, max-age=120" });
    expect(await Promise.all([result(), result(), result()])).toEqual(Array(3).fill(verified()));
    clock.pass(2 * MINUTE - SECOND);
    expect([await result(), loads()]).toEqual([verified(), 1]);
    clock.pass(SECOND);
    expect([await result(), loads()]).toEqual([verified(), 2]);
  });

  test("a removed key stops counting, a new one counts, and one that can't be loaded stays for a day", async () => {
    expect(await result()).toBe(verified());
    const next = newSigningKey();
    directory.publish([next]);
    const withNext = {
      signed: ({ parameters }: Signed) => ({ key: next, parameters: { ...parameters, keyid: next.jwk.kid } }),
    };
    // A minute at least is between two loads.
    expect(await result(withNext)).toContain("has the thumbprint in keyid");
    clock.pass(MINUTE);
    expect(await result(withNext)).toBe(verified());
    expect(await result()).toContain("has the thumbprint in keyid");
    directory.origin.show(KEY_DIRECTORY_PATH, { status: 500 });
    clock.pass(HOUR);
    expect(await result(withNext)).toBe(verified());
    clock.pass(DAY);
    expect(await result(withNext)).toContain("has the thumbprint in keyid");
  });

  test.each<[string, () => Parameters<Origin["show"]>[1]]>([
    ["is missing", () => ({ status: 404 })],
    [
      "redirects, even to itself",
      () => ({ status: 302, headers: { location: `${directory.origin.url}${KEY_DIRECTORY_PATH}` } }),
    ],
    ["is of another type", () => ({ headers: { "content-type": "application/json" }, body: keySet() })],
    [
      "is too big",
      () => ({ headers: { "content-type": KEY_DIRECTORY_TYPE }, body: keySet() + " ".repeat(70_000) }),
    ],
    ["isn't JSON", () => ({ headers: { "content-type": KEY_DIRECTORY_TYPE }, body: "keys" })],
    ["isn't a key set", () => ({ headers: { "content-type": KEY_DIRECTORY_TYPE }, body: "null" })],
    ["breaks off", () => (_request, response) => void response.destroy()],
  ])("a directory that %s names no one, and isn't asked again at once", async (_, answer) => {
    directory.origin.show(KEY_DIRECTORY_PATH, answer());
    expect([await result(), await result(), loads()]).toEqual([failed, failed, 1]);
    directory.publish([directory.key]);
    clock.pass(MINUTE);
    expect(await result()).toBe(verified());
  });

  const keySet = () => JSON.stringify({ keys: [directory.key.jwk] });

  test("malformed keys, keys of other kinds, and expired ones are left out", async () => {
    const { jwk } = directory.key;
    for (const wrong of [
      null,
      { ...jwk, kid: "mine" },
      { ...jwk, x: "AAAA" },
      { ...jwk, use: "enc" },
      { ...jwk, crv: "X25519" },
      { ...jwk, exp: seconds() - 1 },
      { ...jwk, nbf: seconds() + 9e6 },
    ]) {
      directory.origin.show(KEY_DIRECTORY_PATH, {
        headers: { "content-type": KEY_DIRECTORY_TYPE },
        body: JSON.stringify({ keys: [wrong] }),
      });
      clock.pass(HOUR);
      expect(await result(), JSON.stringify(wrong)).toContain("has the thumbprint in keyid");
    }
  });

  test("a slow directory holds a write up for two seconds, and serves the next request", async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    directory.origin.show(KEY_DIRECTORY_PATH, async (_request, response) => {
      await asked;
      response.writeHead(200, { "content-type": KEY_DIRECTORY_TYPE }).end(keySet());
    });
    expect(await result()).toEqual(failed);
    answer();
    await eventually(async () => {
      // On a busy machine, the first load may have failed.
      clock.pass(MINUTE);
      expect(await result()).toBe(verified());
    });
  });

  test("an account can't make the server ask very many hosts", async () => {
    const at = (port: number): Changes => ({
      headers: (given) => ({ ...given, "signature-agent": `sig1="https://127.0.0.1:${port}"` }),
    });
    const results: (string | null)[] = [];
    // Nothing listens there.
    for (let port = 1100; port < 1131; port++) results.push(await result(at(port)));
    expect(results.slice(0, 30)).toEqual(Array(30).fill(failed));
    expect(results[30]).toContain("too many key directories");
  });

  test("only hosts that the setting names count, if it names some", async () => {
    const start = (SIGNATURE_AGENTS: string) =>
      startTandem("sqlite", { env: { OUTGOING_ALLOW, SIGNATURE_AGENTS }, now: clock.now });
    const resultAt = async (setting: string) => {
      await using tandem = await start(setting);
      return resultOf(await send(tandem, await tandem.as.agent(), directory));
    };
    expect(await resultAt("signer.example")).toContain("This server doesn't know the signer");
    expect(await resultAt("none")).toBe(null);
    expect(loads()).toBe(0);
    expect(await resultAt(`signer.example, ${directory.host}`)).toBe(verified());
  });
});

describe("a signed request that carries something else than JSON of an operation", () => {
  let tandem: Tandem;
  let directory: KeyDirectory;
  let agent: AgentCaller;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: loopback, now: clock.now });
    directory = await KeyDirectory.start(certificate);
    agent = await tandem.as.agent();
  });
  afterAll(async () => {
    await tandem.stop();
    await directory[Symbol.asyncDispose]();
  });
  const sendBody = (path: string, body: Buffer, digested: Buffer, others: Record<string, string>) => {
    const digest = contentDigest(digested);
    return send(tandem, agent, directory, {
      path,
      body,
      signed: ({ components }) => ({
        components: components.map(
          ([name, value]) => [name, name === '"content-digest"' ? digest : value] as const,
        ),
      }),
      headers: (given) => ({ ...given, ...others, "content-digest": digest }),
    });
  };
  const latest = async () => {
    const [entry] = (await agent.readOwnKey()).recentActivity;
    const id = entry?.postId ?? 0;
    return [entry?.operation, entry?.signer, (await agent.readPostReceipt({ id })).receipt.signer];
  };

  test("a form's digest is that of its bytes", async () => {
    const form = (title: string) =>
      formBytes([
        { name: "title", content: title },
        { name: "image", fileName: "a.png", type: "image/png", content: picture },
      ]);
    const picture = await drawPicture();
    const [right, wrong] = [form("On tiles"), form("On tills")];
    const ofOther = await sendBody("/api/posts", right, wrong, formType);
    expect(resultOf(ofOther)).toContain("Content-Digest isn't that of the body");
    expect(await latest()).toEqual(["createPost", null, null]);
    const response = await sendBody("/api/posts", right, right, formType);
    expect(resultOf(response)).toBe(`verified;by="${directory.host}"`);
    expect(await latest()).toEqual(["createPost", directory.host, directory.host]);
  });

  test.each([
    ["/mcp", "tools/call", { name: "create_post", arguments: { title: "By a tool", idempotencyKey: "a" } }],
    [
      "/a2a",
      "SendMessage",
      {
        message: {
          messageId: "m",
          role: "ROLE_USER",
          parts: [
            { data: { operation: "createPost", input: { title: "By a message", idempotencyKey: "b" } } },
          ],
        },
      },
    ],
  ])("a call over %s is signed by who signed the request", async (path, method, params) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const response = await sendBody(path, body, body, { accept: "application/json, text/event-stream" });
    expect(response.status).toBe(200);
    expect(await latest()).toEqual(["createPost", directory.host, directory.host]);
  });
});

test("the function in docs/signed-requests.md signs for the client", async () => {
  await using tandem = await startTandem("sqlite", { env: loopback });
  await using directory = await KeyDirectory.start(certificate);
  await using folder = await temporaryDirectory();
  const text = await readFile(new URL("../../../docs/signed-requests.md", import.meta.url), "utf8");
  const [, code = ""] = /```js signing-fetch.mjs\n(.*?)```/s.exec(text) ?? [];
  const file = join(folder.path, "signing-fetch.mjs");
  await writeFile(file, code);
  const { signingFetch } = await import(file);
  const { options } = await tandem.as.agent();
  const fetch = signingFetch(directory.origin.url, directory.key.privateKey);
  const client = createClient({ ...options, fetch });
  const { post } = await client.createPost({ title: "Signed by the manual" });
  await client.likePost({ id: post.id });
  const { recentActivity } = await client.readOwnKey();
  expect(recentActivity.map(({ signer }) => signer)).toEqual([directory.host, directory.host]);
  expect((await client.readPostReceipt({ id: post.id })).receipt.signer).toBe(directory.host);
});
