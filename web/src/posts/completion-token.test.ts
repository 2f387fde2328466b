import { limits } from "@tandem/contract/limits";
import fc from "fast-check";
import { expect, test } from "vitest";
import { complete, tokenAt } from "./completion-token.ts";

const at = (text: string) => {
  const caret = text.indexOf("|");
  return tokenAt(text.replace("|", ""), caret);
};

test("a mention or hashtag ends at the caret", () => {
  expect(at("Hi @ad|")).toEqual({ kind: "mention", text: "ad", from: 3, to: 6 });
  expect(at("(#we|)")).toEqual({ kind: "tag", text: "we", from: 1, to: 4 });
  expect(at("@ada.l-x_|, hi")).toMatchObject({ text: "ada.l-x_" });
  expect(at("**#織り|**")).toMatchObject({ text: "織り" });
  expect(at("@Zoë|")).toMatchObject({ text: "Zoë" });
  for (const none of ["me@ad|", "@|", "#|", "a#we|", "/#we|", "@ad a|", "@a|d", "@@ad|", "&#x|", ""])
    expect(at(none), none).toBeNull();
});

test("a token longer than the operation that completes it takes is none", () => {
  for (const [sign, longest] of [
    ["@", limits.displayName],
    ["#", limits.tag],
  ] as const) {
    expect(at(`${sign}${"x".repeat(longest)}|`)?.text).toHaveLength(longest);
    for (const more of [1, 2, 100]) expect(at(`${sign}${"x".repeat(longest + more)}|`)).toBeNull();
  }
});

test("what is completed is a token with the name, followed by a space and the caret", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  fc.assert(
    fc.property(
      fc.constantFrom("@", "#"),
      word,
      word,
      fc.constantFrom("", " then"),
      (sign, typed, name, rest) => {
        const value = `Hi ${sign}${typed}${rest}`;
        const token = tokenAt(value, 4 + typed.length);
        if (!token) throw new Error("there is a token");
        const { from, to, insert, selection } = complete(value, token, name);
        const text = value.slice(0, from) + insert + value.slice(to);
        expect(text).toBe(`Hi ${sign}${name}${rest || " "}`);
        expect(selection).toEqual([5 + name.length, 5 + name.length]);
      },
    ),
  );
});
