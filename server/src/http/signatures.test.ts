import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkReceipt } from "@tandem/client/check-receipt";
import { createClient } from "@tandem/client/create-client";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { formBytes, formType } from "@tandem/testing/forms";
import {
  contentDigest,
  KeyDirectory,
  signatureHeaders,
  trustedCertificate,
} from "@tandem/testing/key-directory";
import { type Certificate, loopback } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { sendRequest } from "@tandem/testing/raw-http";
import { bearerOf, inPlaceOf, resultOf, sendSigned, signedPost } from "@tandem/testing/signed-posts";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { integrate } from "../features/transparency-log/integrate.ts";

let certificate: Certificate;
beforeAll(async () => {
  certificate = await trustedCertificate();
});

const clock = stoppedClock();

describe.each(engines)("signed requests on %s", (engine) => {
  const once = testOnce(engine);
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

  once("the console, the key and the receipt say whose software sent a write", async () => {
    const response = await sendSigned(tandem, agent, directory);
    expect(resultOf(response)).toBe(`verified;by="${directory.host}"`);
    const { id } = (response.body as { post: { id: number } }).post;
    expect((await agent.readOwnKey()).recentActivity).toMatchObject([{ signer: directory.host }]);
    const comment = await sendSigned(tandem, agent, directory, {
      path: `/api/posts/${id}/comments`,
      signed: inPlaceOf('"content-digest"', ['"content-digest"', contentDigest('{"body":"Hot"}')]),
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

  test("a signature counts once, for the first request that uses it", async () => {
    const { body, signed, others } = signedPost(tandem, agent, directory, "On spoons");
    const headers = { ...others, ...signatureHeaders(signed), "content-type": "application/json" };
    const authorization = bearerOf(agent);
    const send = () =>
      sendRequest(tandem.baseUrl, {
        method: "POST",
        path: "/api/posts",
        body,
        headers: { ...headers, authorization },
      });
    const responses = await Promise.all([send(), send(), send()]);
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
    const { signed, others } = signedPost(tandem, agent, directory, "On kettles");
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
    expect(
      resultOf(await sendSigned(tandem, agent, directory, { ...again, path: "/api/posts?dryRun=1" })),
    ).toEqual(partial);
    const refused = await sendSigned(tandem, agent, directory, {
      ...again,
      path: "/api/posts/999999/comments",
    });
    expect(refused.status).toBe(400);
    const response = await sendSigned(tandem, agent, directory, again);
    expect(resultOf(response)).toEqual(partial);
    expect(await consoleOf(ada)).toEqual([["createPost", directory.host]]);
    // Anyone who saw it could have put it on another request.
    const { id } = (response.body as { post: { id: number } }).post;
    expect((await agent.readPostReceipt({ id })).receipt.signer).toBe(null);
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
    return sendSigned(tandem, agent, directory, {
      path,
      body,
      signed: ({ components }) => ({
        components: components.map(([name, value]) => {
          const signed: Record<string, string | undefined> = {
            '"content-digest"': digest,
            '"content-type"': others["content-type"],
          };
          return [name, signed[name] ?? value] as const;
        }),
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
