import { describe, expect, test } from "vitest";
import { differences, documentsIn, expectationsIn, folders } from "./corpus.ts";
import { knownLosses } from "./known-losses.ts";

const names = Object.keys(folders);

describe.each(names)("documents in %s", (name) => {
  const expectations = expectationsIn(name);

  test("all have an expectation", () => {
    expect(documentsIn(name)).toEqual(Object.keys(expectations).sort());
  });

  test.each(Object.entries(expectations))("%s", async (file, expected) => {
    const found = await differences(name, file, expected);
    const known = knownLosses[`${name}/${file}`];
    if (known === undefined) expect(found).toEqual([]);
    else expect(found, `It comes whole. Remove it from known-losses.ts: ${known}`).not.toEqual([]);
  });
});
