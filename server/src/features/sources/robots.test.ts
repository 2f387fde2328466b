import { loopback, Origin } from "@tandem/testing/origin";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Robots } from "../../crawl/robots.ts";
import { openOutgoing } from "../../outgoing/outgoing.ts";

const outgoing = openOutgoing({ allowed: [loopback.OUTGOING_ALLOW], userAgent: () => "Tandem/1.0" });

let origin: Origin;
beforeEach(async () => {
  origin = await Origin.start();
});
afterEach(() => origin[Symbol.asyncDispose]());

const judge = (rules: string, path: string) => {
  origin.show("/robots.txt", { body: `User-agent: *\n${rules}` });
  return new Robots().judge(new URL(path, origin.url), outgoing, AbortSignal.timeout(10_000), 0);
};

test.each([
  ["2", 2000],
  ["100000", 60_000],
  ["-5", 0],
  ["soon", 0],
  ["", 0],
])("a pause of %j seconds is %i milliseconds", async (told, milliseconds) => {
  expect(await judge(`Crawl-delay: ${told}\n`, "/feed.xml")).toBe(milliseconds);
});

test("wildcards mean what they say", async () => {
  await expect(judge("Disallow: /*/private/*.xml$\n", "/a/private/b.xml")).rejects.toThrow("forbids");
  expect(await judge("Disallow: /*/private/*.xml$\n", "/a/private/b.xml?c")).toBe(0);
});

test("a file that is made to take long to judge says nothing, so nothing is asked", async () => {
  const rule = `Disallow: /${"*a".repeat(500)}b\n`;
  await expect(judge(rule.repeat(500), `/${"a".repeat(2000)}`)).rejects.toThrow("can't say");
});
