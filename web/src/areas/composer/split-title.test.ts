import { limits } from "@tandem/contract/limits";
import { describe, expect, test } from "vitest";
import { splitTitle } from "./split-title.ts";

const long = "It took four hours. ".repeat(10).trim();

describe("the title of a text without one", () => {
  test.each([
    ["a short line", "Slow, and worth it.", { title: "Slow, and worth it.", body: "" }],
    ["its first line", "\n Weaving \n\nBy hand.\n", { title: "Weaving", body: "By hand." }],
    [
      "the first sentence",
      `I tried to weave. ${long}`,
      { title: "I tried to weave. It took four hours.", body: long.slice(20) },
    ],
    ["an emoji counts once", "🧶".repeat(120), { title: "🧶".repeat(120), body: "" }],
    ["nothing", " \n", { title: "", body: "" }],
    ["a heading without its mark", "# The *loom*\nBy hand.", { title: "The loom", body: "By hand." }],
    ["the words of the first line", "**Weaving**\n\nBy hand.", { title: "Weaving", body: "By hand." }],
    [
      "the beginning of a list, which stays whole",
      "- warp\n- weft",
      { title: "warp", body: "- warp\n- weft" },
    ],
    [
      "the words of a link, which stays in the text",
      "[A loom](https://example.org)",
      { title: "A loom", body: "[A loom](https://example.org)" },
    ],
  ])("is %s", (_, text, expected) => expect(splitTitle(text)).toEqual(expected));

  test("is an excerpt of a sentence that is too long, and the body is the whole text", () => {
    const endless = "and so on ".repeat(40).trim();
    const { title, body } = splitTitle(endless);
    expect(title).toMatch(/^and so on .* (and|so|on)…$/);
    expect(title.length).toBeLessThan(limits.postTitle);
    expect(body).toBe(endless);
    expect(splitTitle("x".repeat(400)).title).toBe(`${"x".repeat(120)}…`);
  });
});
