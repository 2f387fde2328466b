import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";

test("logs once that a proxy isn't trusted, and never if one is or nothing was forwarded", async () => {
  await using tandem = await startTandem();
  const hints = async (env: Record<string, string>, forwarded: string[], remoteAddress: string) => {
    const lines: string[] = [];
    const logger = { level: "warn", stream: { write: (line: string) => void lines.push(line) } };
    const { server } = createApp({ config: readConfig(env), storage: tandem.storage, logger });
    for (const one of forwarded)
      await server.inject({ url: "/healthz", remoteAddress, headers: { "x-forwarded-for": one } });
    await server.inject({ url: "/healthz", remoteAddress });
    return lines.filter((line) => line.includes("TRUST_PROXY")).length;
  };
  const seen = ["203.0.113.5", "203.0.113.6"];
  for (const proxy of ["127.0.0.1", "::1", "10.1.2.3", "::ffff:172.18.0.2", "fd00::5"])
    expect(await hints({}, seen, proxy)).toBe(1);
  // Anyone can send the header; only a proxy has a private address.
  expect(await hints({}, seen, "198.51.100.1")).toBe(0);
  expect(await hints({}, [], "10.1.2.3")).toBe(0);
  expect(await hints({ TRUST_PROXY: "1" }, seen, "10.1.2.3")).toBe(0);
});
