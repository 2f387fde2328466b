import { lowestCpuTime } from "@tandem/testing/measure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excerptParts, textParts } from "./text-parts.ts";

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

  test("are found quickly in hostile input", async () => {
    const hostile = ["https://a", "@", "#", "#1"].map((one) => one.repeat(5000));
    const look = () => {
      for (const text of [...hostile, `https://a${")".repeat(10_000)}`, `#${"1".repeat(10_000)}`])
        textParts(text);
    };
    expect(await lowestCpuTime(1000, look)).toBeLessThan(1000);
  });
});

describe("the beginning of a text", () => {
  const beginning = (text: string, characters = 20, lines = 3) => {
    const { parts, isCut } = excerptParts(text, { mentions: true, characters, lines });
    return parts.map((part) => part.text).join("") + (isCut ? "…" : "");
  };

  test.each([
    ["Short enough.", "Short enough."],
    ["Exactly twenty here.", "Exactly twenty here."],
    ["Ends between two words of it.", "Ends between two…"],
    ["Incomprehensibilities", "Incomprehensibilitie…"],
    ["🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆 🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆", "🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆…"],
    ["1\n2\n3\n4", "1\n2\n3…"],
    ["1\n#two\n3\n4", "1\n#two\n3…"],
    ["At https://example.org/x", "At…"],
    ["At https://a.io/ then", "At https://a.io/…"],
    ["Hello @ada_l and @bob", "Hello @ada_l and…"],
  ])("of %j is %j", (text, expected) => {
    expect(beginning(text)).toBe(expected);
  });
});
