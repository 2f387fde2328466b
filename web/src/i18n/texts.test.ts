import { readdirSync, readFileSync } from "node:fs";
import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, test } from "vitest";
import { compileTexts } from "../build/compile-texts.ts";
import { defaultLocale, locales } from "../shared/locales.ts";
import { areas } from "../shared/paths.ts";
import { preferredLocale } from "./preferred-locale.ts";

type Texts = Record<string, string>;

const folders = ["i18n", "posts", ...areas.map((area) => `areas/${area}`)];
const read = (folder: string, locale: string): Texts =>
  JSON.parse(readFileSync(new URL(`../${folder}/messages.${locale}.json`, import.meta.url), "utf8"));

describe.each(folders)("texts of %s", (folder) => {
  const own = read(folder, "en");

  test.each(Object.keys(locales))("are complete in %s, with the same placeholders and elements", (locale) => {
    const texts = read(folder, locale);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(own).sort());
    for (const [key, text] of Object.entries(texts))
      expect([key, ...partsOf(text)]).toEqual([key, ...partsOf(own[key] ?? "")]);
  });
});

describe.each(Object.keys(locales))("in %s", (locale) => {
  const texts = folders.flatMap((folder) => Object.entries(read(folder, locale)));
  const english = Object.assign({}, ...folders.map((folder) => read(folder, "en"))) as Texts;

  test("plurals have the forms that the language has", () => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    const { pluralCategories: ordinals } = new Intl.PluralRules(locale, {
      type: "ordinal",
    }).resolvedOptions();
    for (const [key, text] of texts) {
      const model = pluralsOf(compileMessage(english[key] ?? ""));
      for (const [i, { type, forms }] of pluralsOf(compileMessage(text)).entries()) {
        const all = type === "plural" ? pluralCategories : ordinals;
        // A number alone needs one form in most languages.
        const isEnough = model[i]?.forms.length === 1 && forms.join() === "other";
        const needed = isEnough ? ["other"] : all;
        expect([key, ...forms]).toEqual([key, ...needed.toSorted()]);
      }
    }
  });

  test.runIf(locale !== defaultLocale)("no sentence is still English", () => {
    const words = (text: string) => text.replaceAll(/\{[^{}]*\}|<[^>]*>/g, " ").match(/\p{L}{2,}/gu) ?? [];
    expect(texts.filter(([key, text]) => words(text).length > 3 && text === english[key])).toEqual([]);
  });
});

describe("in French", () => {
  const texts = folders.flatMap((folder) => Object.entries(read(folder, "fr")));

  // 0 takes the singular too: "0 publication".
  test("a singular doesn't say 1", () => {
    expect(texts.filter(([, text]) => /\bone \{[^{}#]*\b1\b/.test(text))).toEqual([]);
  });

  test("a narrow no-break space is inside guillemets and before ; : ! ? and %", () => {
    const ordinarySpace = /[^\u202F]»|«[^\u202F]|[ \u00A0][;:!?%]/;
    expect(texts.filter(([, text]) => ordinarySpace.test(text))).toEqual([]);
  });
});

test("no key is used twice", () => {
  const keys = folders.flatMap((folder) => Object.keys(read(folder, "en")));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

test("every key is used", () => {
  const sources = new URL("../", import.meta.url);
  const code = readdirSync(sources, { recursive: true })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(String(file)))
    .map((file) => readFileSync(new URL(String(file), sources), "utf8"))
    .join("\n");
  const named = new Set([...code.matchAll(/["'`](\w+\.[\w.]+)["'`]/g)].map(([, key]) => key));
  // Other keys are built from template strings.
  const templates = new Set(
    [...code.matchAll(/`(\w+\.(?:[\w.]|\$\{[^}]*\})+)`/g)].map(([, key = ""]) => key),
  );
  const shapes = [...templates].map((key) => new RegExp(`^${key.split(/\$\{[^}]*\}/).join("[\\w:,]+")}$`));
  const keys = folders.flatMap((folder) => Object.keys(read(folder, "en")));
  expect(keys.filter((key) => !named.has(key) && !shapes.some((shape) => shape.test(key)))).toEqual([]);
});

test("what is filled in keeps its own direction in languages written from right to left", () => {
  const texts = { quoted: "{n, plural, one {<b>{name}</b>} other {<b>{name}</b> +#}} · {n, number}" };
  const textIn = (locale: string) => {
    const i18n = setupI18n({ locale, messages: { [locale]: compileTexts(locale, texts) } });
    return [1, 120].map((n) => i18n._("quoted", { n, name: "Loom (2)" }));
  };
  expect(textIn("ar")).toEqual(["<b>\u2068Loom (2)\u2069</b> · 1", "<b>\u2068Loom (2)\u2069</b> +120 · 120"]);
  expect(textIn("en")).toEqual(["<b>Loom (2)</b> · 1", "<b>Loom (2)</b> +120 · 120"]);
});

test("picks the first supported language that the browser accepts", () => {
  expect(preferredLocale("nl, de-AT;q=0.8, en;q=0.9")).toBe("en");
  expect(preferredLocale("de")).toBe("de");
  expect(preferredLocale("de;q=0, *")).toBe("en");
  expect(preferredLocale("")).toBe("en");
  // Regions don't matter: a reader of American English prefers English to German.
  expect(preferredLocale("en-US,de;q=0.9,en;q=0.8")).toBe("en");
  expect(preferredLocale("en-GB,de")).toBe("en");
  expect(preferredLocale("de-AT,en")).toBe("de");
  expect(preferredLocale("de-AT,en-US;q=0.9,en;q=0.8,de;q=0.7")).toBe("de");
  expect(preferredLocale(`de,${"x,".repeat(5000)}`)).toBe("de");
  expect(preferredLocale(`${"x,".repeat(5000)}de`)).toBe("en");
});

/** The forms of each plural in a compiled text. */
function pluralsOf(compiled: unknown): { type: string; forms: string[] }[] {
  if (!Array.isArray(compiled)) return [];
  const [, type, options] = compiled;
  const own =
    type === "plural" || type === "selectordinal"
      ? [
          {
            type,
            forms: Object.keys(options)
              .filter((form) => /^[a-z]+$/.test(form) && form !== "offset")
              .sort(),
          },
        ]
      : [];
  const nested = typeof options === "object" && options !== null ? Object.values(options) : [];
  return [...own, ...[...compiled.filter(Array.isArray), ...nested].flatMap(pluralsOf)];
}

/** The names of the placeholders and elements in a text. */
function partsOf(text: string): string[] {
  const compiled = compileMessage(text);
  const names = (parts: unknown): string[] =>
    Array.isArray(parts)
      ? parts.flatMap((part) =>
          Array.isArray(part) ? [String(part[0]), ...Object.values(part[2] ?? {}).flatMap(names)] : [],
        )
      : [];
  const elements = [...text.matchAll(/<\/?(\w+)>/g)].map(([tag]) => tag);
  return [...new Set([...names(compiled), ...elements])].sort();
}
