import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, searchTerms } from "./fold.ts";

describe("fold()", () => {
  test("maps both cases and all compositions of every character to the same text", () => {
    const apart: string[] = [];
    // Characters beyond the first three planes have neither case nor compositions.
    for (let point = 1; point <= 0x2ffff; point++) {
      const character = String.fromCodePoint(point);
      const forms = [character.toLowerCase(), character.toUpperCase(), character.normalize("NFD")];
      if (forms.every((form) => form === character)) continue;
      const composed = forms.flatMap((form) => [form, form.normalize("NFC"), form.normalize("NFD")]);
      if (composed.some((form) => fold(form) !== fold(character))) apart.push(character);
    }
    expect(apart).toEqual([]);
  });

  test("ignores the case of whole texts, and is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const folded = fold(text);
        for (const same of [text.toUpperCase(), text.toLowerCase(), text.normalize("NFD"), folded]) {
          expect(fold(same)).toBe(folded);
        }
      }),
    );
  });

  test("keeps different letters different", () => {
    for (const [one, other] of ["eé", "oø", "аa", "京都", "iİ"].map((pair) => [...pair])) {
      expect(fold(String(one))).not.toBe(fold(String(other)));
    }
  });

  test("splits a query at any white space into distinct words", () => {
    expect(searchTerms(" Tea\u00a0POT\n\u3000tea\ufeffSS ß ")).toEqual(["TEA", "POT", "SS"]);
    expect(searchTerms(" \t\u2003")).toEqual([]);
  });
});
