import { lowestCpuTime } from "@tandem/testing/measure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextPart, textParts } from "./text-parts.ts";

const found = (text: string) =>
  textParts(text)
    .filter(({ kind }) => kind !== "text")
    .map(({ kind, text: part }) => `${kind} ${part}`);

const pieces = fc.constantFrom(
  ...["@ada_l", "@a", "#loom", "#1", "https://example.org/a_(b)", "http://", "<b>", "javascript:alert(1)"],
  ...[" ", ".", ")", "(", "&#39;", "\n", "@", "#", "x", "é", "👩‍🚀", "\u0000", "\ud800"],
);

describe("links, mentions and tags in a text", () => {
  test("keep the text unchanged", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, mentions) => {
        const parts = textParts(text, mentions);
        expect(parts.map((part) => part.text).join("")).toBe(text);
        expect(parts.every((part) => part.text !== "")).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("are web addresses, usernames and tags only", () => {
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        for (const { kind, text } of textParts(parts.join(""))) {
          if (kind === "link") expect(new URL(text).protocol).toMatch(/^https?:$/);
          if (kind === "mention") expect(text).toMatch(/^@[A-Za-z0-9_.-]+$/);
          if (kind === "tag") expect(text).toMatch(/^#\S+$/u);
        }
      }),
    );
  });

  test.each([
    ["Thanks, @ada_l.", ["mention @ada_l"]],
    ["(see https://example.org/a_(b)).", ["link https://example.org/a_(b)"]],
    [
      "[https://example.org/?q=1#top], or HTTP://EXAMPLE.ORG!",
      ["link https://example.org/?q=1#top", "link HTTP://EXAMPLE.ORG"],
    ],
    ["#weave #2026 #über_2 C# &#39; a#b", ["tag #weave", "tag #über_2"]],
    ["ada@example.org, javascript:alert(1), example.org, @a", []],
    ["https://example.org/@ada and @ada", ["link https://example.org/@ada", "mention @ada"]],
  ])("in %j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test("are found whatever was looked for before", () => {
    expect(nextPart("A longer text, and @ada_l in it", 0)?.index).toBe(19);
    expect(found("@ada_l #weave")).toEqual(["mention @ada_l", "tag #weave"]);
  });

  test("are found quickly in hostile input", async () => {
    const hostile = ["https://a", "@", "#", "#1"].map((one) => one.repeat(5000));
    const look = () => {
      for (const text of [...hostile, `https://a${")".repeat(10_000)}`, `#${"1".repeat(10_000)}`])
        textParts(text);
    };
    expect(await lowestCpuTime(1000, look)).toBeLessThan(1000);
  });
});
