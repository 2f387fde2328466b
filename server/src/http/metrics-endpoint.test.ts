import { freePort } from "@tandem/testing/ports";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const token = "0123456789abcdef-secret";
const bearer = { authorization: `Bearer ${token}` };

const ask = async (baseUrl: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${baseUrl}/metrics`, { headers });
  const body = await response.text();
  return response.status === 200 ? body.includes("process_cpu") : [response.status, JSON.parse(body).code];
};
const refused = [401, "unauthorized"];

describe("/metrics", () => {
  const forwarded: Record<string, string>[] = [
    { "x-forwarded-for": "203.0.113.9" },
    { "x-forwarded-for": "127.0.0.1" },
    { forwarded: "for=203.0.113.9" },
    { "x-real-ip": "203.0.113.9" },
    { via: "1.1 proxy" },
  ];

  test.each([{}, { TRUST_PROXY: "1" }])(
    "is for programs on this machine, not behind a proxy on it (%j)",
    async (env) => {
      await using tandem = await startTandem("sqlite", { env });
      expect(await ask(tandem.baseUrl)).toBe(true);
      for (const headers of forwarded) {
        expect([headers, await ask(tandem.baseUrl, headers)]).toEqual([headers, refused]);
        expect(await ask(tandem.baseUrl, { ...headers, ...bearer })).toEqual(refused);
      }
    },
  );

  test("says to others which setting and header they need", async () => {
    const hintWith = async (env: Record<string, string>, headers = { via: "1.1 proxy" }) => {
      await using tandem = await startTandem("sqlite", { env });
      const response = await fetch(`${tandem.baseUrl}/metrics`, { headers });
      return ((await response.json()) as { hint: string }).hint;
    };
    expect(await hintWith({})).toMatch(
      /^An administrator must set METRICS_TOKEN first; then send `Authorization: Bearer`/,
    );
    expect(await hintWith({ METRICS_TOKEN: token })).toMatch(
      /^Send `Authorization: Bearer` and the value of the setting METRICS_TOKEN of this service\./,
    );
    await separately({ METRICS_TOKEN: token }, async (_, metrics) => {
      const response = await fetch(`${metrics}/metrics`, { headers: { via: "1.1 proxy" } });
      expect(((await response.json()) as { hint: string }).hint).toContain("METRICS_TOKEN");
    });
  });

  test("is for everyone with the token", async () => {
    await using tandem = await startTandem("sqlite", { env: { METRICS_TOKEN: token } });
    for (const headers of forwarded) {
      expect(await ask(tandem.baseUrl, { ...headers, ...bearer })).toBe(true);
      expect(await ask(tandem.baseUrl, { ...headers, authorization: `Bearer ${token}x` })).toEqual(refused);
    }
    expect(await ask(tandem.baseUrl)).toBe(true);
  });

  const separately = async (env: object, use: (tandem: Tandem, metrics: string) => Promise<void>) => {
    const address = `127.0.0.1:${await freePort()}`;
    await using tandem = await startTandem("sqlite", { env: { METRICS_LISTEN: address, ...env } });
    await use(tandem, `http://${address}`);
  };

  test("has an address of its own by setting", () =>
    separately({}, async (tandem, metrics) => {
      expect(await ask(tandem.baseUrl)).toEqual([404, "not_found"]);
      expect(await ask(metrics, { via: "1.1 proxy" })).toBe(true);
      expect(await ask(`${metrics}/api`)).toEqual([404, "not_found"]);
    }));

  test("needs the token there, too, if there is one", () =>
    separately({ METRICS_TOKEN: token }, async (_, metrics) => {
      expect(await ask(metrics, { via: "1.1 proxy" })).toEqual(refused);
      expect(await ask(metrics, { via: "1.1 proxy", ...bearer })).toBe(true);
      await expect(separately({ METRICS_LISTEN: new URL(metrics).host }, async () => {})).rejects.toThrow(
        "METRICS_LISTEN can't be used",
      );
    }));
});
