import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { DAY, HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE } from "@tandem/contract/signatures";
import type { AgentCaller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { eventually } from "@tandem/testing/eventually";
import { KeyDirectory, newSigningKey, type Signed, trustedCertificate } from "@tandem/testing/key-directory";
import type { Certificate, Origin } from "@tandem/testing/origin";
import { type Changes, resultOf, sendSigned } from "@tandem/testing/signed-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { publishedKey } from "./key-directories.ts";

let certificate: Certificate;
beforeAll(async () => {
  certificate = await trustedCertificate();
});

const clock = stoppedClock();
const seconds = () => Math.floor(clock.now() / SECOND);

describe("key directories", () => {
  const OUTGOING_ALLOW = "127.0.0.0/8";
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
  const result = async (changes?: Changes) => resultOf(await sendSigned(tandem, agent, directory, changes));
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

  describe("with hosts that don't answer", () => {
    const silent = createServer();
    let port = 0;
    const open = new Set<Socket>();
    let freed = 0;
    const ask = (origin: string, userId: number) =>
      publishedKey(tandem.services, {
        origin,
        keyid: directory.key.jwk.kid,
        userId,
        freePlace: () => freed++,
      });
    const askAll = (origins: string[], userId: number) => {
      freed = 0;
      return Promise.allSettled(origins.map((origin) => ask(origin, userId)));
    };
    beforeAll(async () => {
      silent.on("connection", (socket) => open.add(socket.on("error", () => {})));
      await once(silent.listen(0, "0.0.0.0"), "listening");
      ({ port } = silent.address() as AddressInfo);
    });
    afterAll(() => {
      for (const socket of open) socket.destroy();
      silent.close();
    });

    test("an account waits in ten places at most, none of them in the way of others, for two hosts at most", async () => {
      const silentHosts = [7, 8, 9].map((i) => `https://127.0.0.${i}:${port}`);
      const some = askAll(silentHosts, 1e6);
      expect(freed).toBe(2);
      const more = askAll(Array<string>(15).fill(`https://127.0.0.7:${port}`), 1e6);
      expect(freed).toBe(8);
      expect(await result()).toBe(verified());
      for (const socket of open) socket.destroy();
      await Promise.all([some, more]);
    });

    test("what an account names isn't kept in place of keys, and only what is loaded is charged for", async () => {
      expect(await result()).toBe(verified());
      const settled = await askAll(
        Array.from({ length: 1001 }, (_, i) => `https://127.0.0.1:${i + 1}`),
        2e6,
      );
      expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(1001);
      expect(freed).toBe(2);
      expect([await result(), loads()]).toEqual([verified(), 1]);
      const others = await KeyDirectory.start(certificate);
      others.publish([directory.key]);
      await Promise.all(Array.from({ length: 9 }, () => ask(others.origin.url, 3e6)));
      await others[Symbol.asyncDispose]();
      const charged = await tandem.storage.read
        .selectFrom("quota_windows")
        .select(["holder", "used"])
        .where("holder", "in", ["directories:2000000", "directories:3000000"])
        .orderBy("holder")
        .execute();
      expect(charged.map(({ used }) => used)).toEqual([2, 1]);
    });
  });

  test("only hosts that the setting names count, if it names some", async () => {
    const start = (SIGNATURE_AGENTS: string) =>
      startTandem("sqlite", { env: { OUTGOING_ALLOW, SIGNATURE_AGENTS }, now: clock.now });
    const resultAt = async (setting: string) => {
      await using tandem = await start(setting);
      return resultOf(await sendSigned(tandem, await tandem.as.agent(), directory));
    };
    expect(await resultAt("signer.example")).toContain("This server doesn't know the signer");
    expect(await resultAt("none")).toBe(null);
    expect(loads()).toBe(0);
    expect(await resultAt(`signer.example, ${directory.host}`)).toBe(verified());
  });
});
