import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, searchTerms } from "./fold.ts";

describe("folding", () => {
  test("every character is the same in either case, however it is composed", () => {
    const apart: string[] = [];
    // Beyond the first three planes no character has a case or is composed.
    for (let point = 1; point <= 0x2ffff; point++) {
      const character = String.fromCodePoint(point);
      const forms = [character.toLowerCase(), character.toUpperCase(), character.normalize("NFD")];
      if (forms.every((form) => form === character)) continue;
      const composed = forms.flatMap((form) => [form, form.normalize("NFC"), form.normalize("NFD")]);
      if (composed.some((form) => fold(form) !== fold(character))) apart.push(character);
    }
    expect(apart).toEqual([]);
  });

  test("so is every text, and folding it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const folded = fold(text);
        for (const same of [text.toUpperCase(), text.toLowerCase(), text.normalize("NFD"), folded]) {
          expect(fold(same)).toBe(folded);
        }
      }),
    );
  });

  test("letters that are different stay apart", () => {
    for (const [one, other] of ["eé", "oø", "аa", "京都", "iİ"].map((pair) => [...pair])) {
      expect(fold(String(one))).not.toBe(fold(String(other)));
    }
  });

  test("a query is its words, each once, whatever blanks are between them", () => {
    expect(searchTerms(" Tea\u00a0POT\n\u3000tea\ufeffSS ß ")).toEqual(["TEA", "POT", "SS"]);
    expect(searchTerms(" \t\u2003")).toEqual([]);
  });
});
