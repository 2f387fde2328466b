import type { AgentCaller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { formBytes, formType } from "@tandem/testing/forms";
import {
  contentDigest,
  KeyDirectory,
  signatureHeaders,
  trustedCertificate,
} from "@tandem/testing/key-directory";
import { loopback } from "@tandem/testing/origin";
import type { RawResponse } from "@tandem/testing/raw-http";
import { type Changes, inPlaceOf, resultOf, sendSigned, signedPost } from "@tandem/testing/signed-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const clock = stoppedClock();

describe("what a signature is bound to", () => {
  let tandem: Tandem;
  let directory: KeyDirectory;
  /** Publishes the directory's key as its own. */
  let copycat: KeyDirectory;
  let agent: AgentCaller;
  beforeAll(async () => {
    const certificate = await trustedCertificate();
    tandem = await startTandem("sqlite", { env: loopback, now: clock.now });
    [directory, copycat] = [await KeyDirectory.start(certificate), await KeyDirectory.start(certificate)];
    copycat.publish([directory.key]);
    agent = await tandem.as.agent();
  });
  afterAll(async () => {
    await tandem.stop();
    for (const one of [directory, copycat]) await one[Symbol.asyncDispose]();
  });
  const idOf = ({ body }: RawResponse) => (body as { post: { id: number } }).post.id;
  const signerOf = async (id: number) => (await agent.readPostReceipt({ id })).receipt.signer;
  const verified = () => `verified;by="${directory.host}"`;

  const body = '{"title":"On cattle"}';
  const long = `a="${"x".repeat(2100)}"`;
  const lines = (name: string, more: (given: string) => string[]): Changes["headers"] => {
    return (given) => ({ ...given, [name]: more(String(given[name])) });
  };
  const unverified: Record<string, () => Changes> = {
    "another body, in a second digest that is too long": () => ({
      body,
      headers: lines("content-digest", (given) => [given, `${contentDigest(body)};${long}`]),
    }),
    "another body, in a second digest that isn't ASCII": () => ({
      body,
      headers: lines("content-digest", (given) => [given, `${contentDigest(body)};a="\u00e9"`]),
    }),
    "another directory, in a second Signature-Agent that is too long": () => ({
      headers: lines("signature-agent", (given) => [given, `sig1="${copycat.origin.url}";${long}`]),
    }),
    "two digests, both signed": () => ({
      signed: (given) =>
        inPlaceOf('"content-digest"', [
          '"content-digest"',
          `${digest("content-digest")(given)}, sha-512=:AAAA:`,
        ])(given),
      headers: lines("content-digest", (given) => [given, "sha-512=:AAAA:"]),
    }),
    "a digest twice": () => ({
      signed: (given) =>
        inPlaceOf('"content-digest"', [
          '"content-digest"',
          `sha-256=:AAAA:, ${digest("content-digest")(given)}`,
        ])(given),
      headers: lines("content-digest", (given) => [`sha-256=:AAAA:, ${given}`]),
    }),
    "a Signature-Agent twice": () => ({
      headers: lines("signature-agent", (given) => [`sig1="https://10.0.0.1", ${given}`]),
    }),
  };
  const digest =
    (name: string) =>
    ({ components }: { components: readonly (readonly [string, string])[] }) =>
      components.find(([identifier]) => identifier === `"${name}"`)?.[1] ?? "";

  test.each(Object.entries(unverified))("%s: not verified", async (_, changes) => {
    const response = await sendSigned(tandem, agent, directory, changes());
    expect([response.status, resultOf(response)]).toEqual([200, expect.stringMatching(/^not-verified;/)]);
    expect(await signerOf(idOf(response))).toBe(null);
  });

  const address = (...instead: [string, string][]): Changes => ({
    signed: inPlaceOf('"@target-uri"', ...instead, ['"@authority"', new URL(tandem.baseUrl).host]),
  });
  const partial: Record<string, () => Changes> = {
    "not whether there is a query": () => address(['"@path"', "/api/posts"]),
    "not the method": () => ({ signed: inPlaceOf('"@method"') }),
    "not the account": () => ({ signed: inPlaceOf('"authorization"') }),
    "not how to read the body": () => ({ signed: inPlaceOf('"content-type"') }),
    "not the body": () => ({ signed: inPlaceOf('"content-digest"') }),
  };
  test.each(Object.entries(partial))("%s: no signer in the receipt", async (_, changes) => {
    const response = await sendSigned(tandem, agent, directory, changes());
    expect(resultOf(response)).toContain(`${verified()};detail="Receipts name the signer only`);
    expect(await signerOf(idOf(response))).toBe(null);
  });

  test("the address in parts", async () => {
    const response = await sendSigned(
      tandem,
      agent,
      directory,
      address(['"@path"', "/api/posts"], ['"@query"', "?"]),
    );
    expect([resultOf(response), await signerOf(idOf(response))]).toEqual([verified(), directory.host]);
  });

  test("what others saw of a form, a dry run or a retry fits nothing else", async () => {
    const other = await tandem.as.agent();
    const form = formBytes([{ name: "title", content: "On tiles" }]);
    const asForm = await sendSigned(tandem, agent, directory, {
      body: form,
      signed: (given) => ({
        components: [
          ...(inPlaceOf('"content-type"')(given).components ?? []).filter(
            ([name]) => name !== '"content-digest"',
          ),
          ['"content-digest"', contentDigest(form)],
        ],
      }),
      headers: (given) => ({ ...given, ...formType, "content-digest": contentDigest(form) }),
    });
    expect(await signerOf(idOf(asForm))).toBe(null);
    const seen = signedPost(tandem, agent, directory, "On kettles");
    const send = (caller: AgentCaller) =>
      sendSigned(tandem, caller, directory, {
        body: seen.body,
        headers: () => ({ ...seen.others, ...signatureHeaders(seen.signed), "idempotency-key": '"k"' }),
      });
    const stolen = await send(other);
    expect(resultOf(stolen)).toContain("isn't that of this request");
    expect(await signerOf(idOf(stolen))).toBe(null);
    expect(resultOf(await send(agent))).toBe(verified());
    expect(resultOf(await send(agent))).toContain("nothing was attributed");
  });

  test("a signature counts once, even if a process's clock is behind", async () => {
    const seen = signedPost(tandem, agent, directory, "Twice");
    const send = () =>
      sendSigned(tandem, agent, directory, {
        body: seen.body,
        headers: () => ({ ...seen.others, ...signatureHeaders(seen.signed) }),
      });
    clock.pass(59_000);
    expect(resultOf(await send())).toBe(verified());
    clock.pass(-61_000);
    expect(resultOf(await send())).toContain("used before");
    clock.pass(2_000);
  });

  test("an edit of a post keeps what others wrote before, so its receipt names no signer", async () => {
    const { post } = await agent.createPost({ title: "On tea", body: "Old words" });
    const edit = '{"title":"On coffee"}';
    const response = await sendSigned(tandem, agent, directory, {
      method: "PATCH",
      path: `/api/posts/${post.id}`,
      body: edit,
      signed: (given) => ({
        components: given.components.map(([name, value]) => [
          name,
          name === '"@method"' ? "PATCH" : name === '"content-digest"' ? contentDigest(edit) : value,
        ]),
      }),
      headers: (given) => ({ ...given, "content-digest": contentDigest(edit) }),
    });
    expect(resultOf(response)).toBe(verified());
    expect((await agent.readOwnKey()).recentActivity[0]).toMatchObject({
      operation: "editPost",
      signer: directory.host,
    });
    expect(await signerOf(post.id)).toBe(null);
  });

  test("no header makes a write fail, and none but the right ones is verified", async () => {
    const pieces =
      'sig1= : ( ) ; , " \\ @ % * ?1 :AA==: tag="web-bot-auth" "@authority" created=1 keyid https://10.0.0.1 é 99999999999999999';
    const character = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code));
    const value = fc.oneof(
      fc.array(fc.constantFrom(...pieces.split(" ")), { maxLength: 12 }).map((some) => some.join("")),
      fc.string({ unit: character, maxLength: 60 }),
    );
    const names = ["content-digest", "signature-agent", "signature-input", "signature"] as const;
    // Null stands for the right line.
    const sent = fc.oneof(
      value.map((text) => [text]),
      fc.shuffledSubarray([null, "", "a=1", "sig1=:AAAA:", null], { minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), sent, { minKeys: 1 }), async (changed) => {
        let isRight = true;
        const response = await sendSigned(tandem, agent, directory, {
          headers: (given) => {
            const lines = Object.entries({ ...given }).map(([name, right]) => {
              const all = (changed[name] ?? [null]).map((line) =>
                Buffer.from((line ?? String(right)).trim()).toString("latin1"),
              );
              isRight &&= all.length === 1 && all[0] === right;
              return [name, all] as const;
            });
            return Object.fromEntries(lines);
          },
        });
        expect(response.status).toBe(200);
        expect(resultOf(response)?.startsWith("verified") ?? false).toBe(isRight);
      }),
      { numRuns: 60, examples: [[{ signature: [null] }]] },
    );
  });
});
