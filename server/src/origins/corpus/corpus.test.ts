import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { differences, documentsIn, expectationsIn, folders } from "./corpus.ts";

const LIST = "known-losses.json";
/** Documents that don't come whole, and why. */
const knownLosses: Record<string, string> = JSON.parse(readFileSync(new URL(LIST, import.meta.url), "utf8"));

/** The documents read so far, and whether they came whole. */
const read = new Map<string, boolean>();

describe.each(Object.keys(folders))("documents in %s", (folder) => {
  const expectations = expectationsIn(folder);

  test("all have an expectation", () => {
    expect(documentsIn(folder)).toEqual(Object.keys(expectations).sort());
  });

  test.each(Object.entries(expectations))("%s comes whole, or is a known loss", async (file, expected) => {
    const document = `${folder}/${file}`;
    const found = await differences(folder, file, expected);
    read.set(document, found.length === 0);
    if (!Object.hasOwn(knownLosses, document)) expect(found).toEqual([]);
  });
});

test("the list of known losses has none that comes whole", async () => {
  const remaining = Object.entries(knownLosses).filter(([document]) => read.get(document) === false);
  await expect(`${JSON.stringify(Object.fromEntries(remaining), null, 2)}\n`).toMatchFileSnapshot(LIST);
});

test("measured.md says how many come whole", async () => {
  const documents = [...read];
  const rows = Object.keys(folders).map((folder) =>
    rowOf(
      folder,
      documents.filter(([document]) => document.startsWith(`${folder}/`)),
    ),
  );
  const table = ["| Format | Documents | Whole |", "|---|---:|---:|", ...rows, rowOf("**All**", documents)];
  await expect(`${table.join("\n")}\n`).toMatchFileSnapshot("measured.md");
});

function rowOf(name: string, documents: [string, boolean][]): string {
  const whole = documents.filter(([, isWhole]) => isWhole).length;
  return `| ${name} | ${documents.length} | ${whole} (${Math.round((100 * whole) / documents.length)}%) |`;
}
