import { DAY, HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE } from "@tandem/contract/signatures";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import {
  contentDigest,
  KeyDirectory,
  newSigningKey,
  type Signed,
  signatureHeaders,
  trustedCertificate,
} from "@tandem/testing/key-directory";
import { type Certificate, loopback, Origin } from "@tandem/testing/origin";
import { type RawResponse, sendRequest } from "@tandem/testing/raw-http";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { integrate } from "../features/transparency-log/integrate.ts";

/** What a test changes about a correctly signed request. */
interface Changes {
  /** What is signed. */
  signed?: (correct: Signed) => Partial<Signed>;
  /** What is sent. */
  headers?: (correct: Record<string, string>) => Record<string, string>;
  body?: string;
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
