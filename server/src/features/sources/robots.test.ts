import { loopback, Origin } from "@tandem/testing/origin";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Robots } from "../../crawl/robots.ts";

let tandem: Tandem;
beforeAll(async () => {
  tandem = await startTandem("sqlite", { env: loopback });
});
afterAll(() => tandem.stop());

let origin: Origin;
beforeEach(async () => {
  origin = await Origin.start();
});
afterEach(() => origin[Symbol.asyncDispose]());

const checkRobots = (rules: string, path: string) => {
  origin.show("/robots.txt", { body: `User-agent: *\n${rules}` });
  return new Robots().check(tandem.services, new URL(path, origin.url), AbortSignal.timeout(10_000));
};

test.each([
  ["2", 2000],
  ["100000", 60_000],
  ["-5", 0],
  ["soon", 0],
  ["", 0],
])("a crawl delay of %j seconds means %i milliseconds", async (delay, milliseconds) => {
  expect(await checkRobots(`Crawl-delay: ${delay}\n`, "/feed.xml")).toBe(milliseconds);
});

test("matches wildcards", async () => {
  await expect(checkRobots("Disallow: /*/private/*.xml$\n", "/a/private/b.xml")).rejects.toThrow("disallows");
  expect(await checkRobots("Disallow: /*/private/*.xml$\n", "/a/private/b.xml?c")).toBe(0);
});

test("rejects everything if a file would take too long to match", async () => {
  const rule = `Disallow: /${"*a".repeat(500)}b\n`;
  await expect(checkRobots(rule.repeat(500), `/${"a".repeat(2000)}`)).rejects.toThrow("can't be read");
});
