import { readdirSync, readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, test } from "vitest";
import { locales } from "../shared/locales.ts";
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

test("picks the first supported language that the browser accepts", () => {
  expect(preferredLocale("fr, de-AT;q=0.8, en;q=0.9")).toBe("en");
  expect(preferredLocale("de")).toBe("de");
  expect(preferredLocale("de;q=0, *")).toBe("en");
  expect(preferredLocale("")).toBe("en");
  // Regions don't matter: a reader of American English prefers English to German.
  expect(preferredLocale("en-US,de;q=0.9,en;q=0.8")).toBe("en");
  expect(preferredLocale("en-GB,de")).toBe("en");
  expect(preferredLocale("de-AT,en")).toBe("de");
  expect(preferredLocale("de-AT,en-US;q=0.9,en;q=0.8,de;q=0.7")).toBe("de");
});

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
