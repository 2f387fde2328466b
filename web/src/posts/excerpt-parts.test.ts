import { describe, expect, test } from "vitest";
import { excerptParts } from "./excerpt-parts.ts";

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
