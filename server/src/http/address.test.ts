import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

/** The throttle shows which address the service sees: it allows three failed log-ins for any accounts. */
const env = { LIMIT_THROTTLES_LOGIN_PER_ADDRESS_LIMIT: "3" };

describe("the caller's address", () => {
  const guess = async ({ as }: Tandem, name: string, forwarded: string) => {
    const caller = as.with({ "x-forwarded-for": forwarded });
    const { status, headers } = await caller.call("logIn", { username: name, password: "a guess" });
    return status === 429 ? `wait ${headers.get("retry-after")}` : status;
  };

  test("isn't taken from X-Forwarded-For without a trusted proxy", async () => {
    await using tandem = await startTandem("sqlite", { env });
    for (let i = 0; i < 5; i++) expect(await guess(tandem, `nobody${i}`, "203.0.113.9")).toBe(401);
  });

  test("is what the one trusted proxy saw; earlier entries are ignored", async () => {
    await using tandem = await startTandem("sqlite", { env: { ...env, TRUST_PROXY: "1" } });
    for (let i = 0; i < 3; i++) expect(await guess(tandem, `nobody${i}`, "203.0.113.9")).toBe(401);
    const same = ["203.0.113.9", "198.51.100.1, 203.0.113.9", "127.0.0.1, 203.0.113.9", "::ffff:203.0.113.9"];
    for (const forwarded of same)
      expect(await guess(tandem, "nobody4", forwarded)).toMatch(/^wait (900|89\d)$/);
    for (const other of ["203.0.113.10", "203.0.113.9, 198.51.100.1", "no address", ""])
      expect(await guess(tandem, "nobody5", other)).toBe(401);
  });

  test("is found behind the configured number of proxies", async () => {
    await using tandem = await startTandem("sqlite", { env: { ...env, TRUST_PROXY: "2" } });
    for (let i = 0; i < 3; i++)
      expect(await guess(tandem, `nobody${i}`, `10.0.0.${i}, 203.0.113.9, 192.0.2.${i}`)).toBe(401);
    expect(await guess(tandem, "nobody4", "203.0.113.9, 192.0.2.7")).toMatch(/^wait/);
    expect(await guess(tandem, "nobody4", "203.0.113.9, 192.0.2.7, 192.0.2.8")).toBe(401);
  });

  test("is throttled for dry runs too", async () => {
    await using tandem = await startTandem("sqlite", { env: { ...env, TRUST_PROXY: "1" } });
    const caller = tandem.as.with({ "x-forwarded-for": "203.0.113.9" });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const input = { username: `nobody${i}`, password: "a guess" };
      statuses.push((await caller.call("logIn", input, { dryRun: true })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});
