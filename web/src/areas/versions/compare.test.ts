import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "./compare.ts";

const short = (before: string, after: string) =>
  compare(before, after)
    .map(
      ({ kind, text }) => ({ same: text, added: `+[${text}]`, removed: `-[${text}]`, "left out": "…" })[kind],
    )
    .join("");

test("shows what changed by whole words, and neighboring words together", () => {
  expect(short("The loom weaves.", "The loom weaves.")).toBe("The loom weaves.");
  expect(short("The loom weaves.", "The engine weaves.")).toBe("The -[loom]+[engine] weaves.");
  expect(short("It weaves red leaves.", "It weaves many flowers.")).toBe(
    "It weaves -[red leaves]+[many flowers].",
  );
  expect(short("", "New")).toBe("+[New]");
  expect(short("Old", "")).toBe("-[Old]");
});

test("leaves out unchanged text far from a change, and shows texts with nothing in common whole", () => {
  const long = "Some words that stay. ".repeat(50);
  expect(short(`${long}A ${long}`, `${long}B ${long}`)).toMatch(/^….{140,200}-\[A\]\+\[B\].{140,200}…$/);
  const words = (letter: string) => Array.from({ length: 2000 }, (_, i) => `${letter}${i}`).join(" ");
  expect(compare(words("a"), words("b")).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  const byLines = compare(`Same.\n${words("a")}\nSame.`, `Same.\n${words("b")}\nSame.`);
  expect(byLines.map(({ kind }) => kind)).toEqual(["same", "removed", "added", "same"]);
});

test("both texts can be read from it, whatever they are", () => {
  const word = fc.constantFrom(
    "loom",
    "engine",
    " ",
    "  ",
    "\n",
    ".",
    "ü",
    "🧵",
    "織機",
    "words that stay ".repeat(30),
  );
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = compare(before, after);
      const without = (kind: string) => pieces.flatMap((one) => (one.kind === kind ? [] : one.text)).join("");
      expect(without("added")).toBe(before);
      expect(without("removed")).toBe(after);
      // No character is split.
      for (const { text } of pieces) expect(text.isWellFormed()).toBe(true);
    }),
  );
});
