import { HOUR, SECOND } from "@tandem/contract/durations";
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
import { type Certificate, loopback } from "@tandem/testing/origin";
import { sendRequest } from "@tandem/testing/raw-http";
import { type Changes, inPlaceOf, resultOf, sendSigned, signedPost } from "@tandem/testing/signed-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let certificate: Certificate;
beforeAll(async () => {
  certificate = await trustedCertificate();
});

const clock = stoppedClock();
const seconds = () => Math.floor(clock.now() / SECOND);

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
      { signed: inPlaceOf('"@target-uri"', ['"@authority"', "other.example"]) },
      "isn't that of this request to 127.0.0.1",
    ],
    "for another host, which it also names as Host": [
      {
        signed: inPlaceOf('"@target-uri"', ['"@authority"', "other.example"]),
        headers: (given) => ({ ...given, host: "other.example" }),
      },
      "isn't that of this request to 127.0.0.1",
    ],
    "for another address": [
      { path: "/api/posts?_=1", signed: inPlaceOf('"@target-uri"', ['"@target-uri"', "http://x/"]) },
      "isn't that",
    ],
    "for no host": [{ signed: inPlaceOf('"@target-uri"', ['"@path"', "/api/posts"]) }, "must cover"],
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
        signed: inPlaceOf('"content-digest"', ['"content-digest"', "md5=:AAAA:"]),
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
    "with a Signature-Agent that it doesn't cover": [{ signed: inPlaceOf(byAgent) }, "must cover"],
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
    return signedPost(tandem, agent, directory, "").signed;
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
    const response = await sendSigned(tandem, agent, directory, changes);
    expect(response.status).toBe(200);
    expect(resultOf(response)).toMatch(/^not-verified;detail="/);
    expect(resultOf(response)).toContain(detail);
    expect((await ada.listActivity({ limit: 1 })).activity).toMatchObject([
      { operation: "createPost", signer: null },
    ]);
    const { id } = (response.body as { post: { id: number } }).post;
    expect((await agent.readPostReceipt({ id })).receipt.signer).toBe(null);
  });

  test("reads, and writes without an account, aren't looked at", async () => {
    const { signed, others } = signedPost(tandem, agent, directory, "");
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
