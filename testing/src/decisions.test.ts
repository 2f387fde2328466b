import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decisionsFolder, parseDecision, readDecisions, withIndex } from "./decisions.ts";

test("the index of decisions agrees with the records", () => {
  const readme = readFileSync(join(decisionsFolder, "README.md"), "utf8");
  expect(readme, "run `npm run decisions` to update the index").toBe(withIndex(readme, readDecisions()));
});

describe("a record", () => {
  const record = (status: string) => `# 6. better-sqlite3 runs SQLite\n\n${status}\n\nWhy.\n`;
  const parsed = (status: string) => parseDecision("0006-better-sqlite3.md", record(status));

  test("is accepted, superseded or amended", () => {
    const common = { file: "0006-better-sqlite3.md", number: "0006", title: "better-sqlite3 runs SQLite" };
    expect(parsed("Status: accepted · 2026-11-21")).toEqual({
      ...common,
      status: "accepted",
      by: [],
      date: "2026-11-21",
    });
    expect(parsed("Status: superseded by [0085](0085-better-sqlite3-13.md) · 2026-11-21")).toMatchObject({
      status: "superseded",
      by: ["0085-better-sqlite3-13.md"],
    });
    expect(
      parsed("Status: accepted, amended by [0038](0038-a.md) and [0068](0068-b.md) · 2026-11-21"),
    ).toMatchObject({
      status: "accepted, amended",
      by: ["0038-a.md", "0068-b.md"],
    });
  });

  test.each([
    "",
    "Why.",
    "Status: accepted",
    "Status: accepted · May 2026",
    "Status: superseded · 2026-11-21",
    "Status: superseded by 0085 · 2026-11-21",
    "Status: superseded by [0085](0086-other.md) · 2026-11-21",
  ])("isn't read with %j as its status", (status) => {
    expect(() => parsed(status)).toThrow(/^0006-better-sqlite3\.md: line 3 must be "Status: accepted/);
  });

  test("has its number in its title", () => {
    expect(() => parseDecision("0007-argon2.md", record("Status: accepted · 2026-11-21"))).toThrow(
      '0007-argon2.md: must begin with "# 7. Title" and an empty line',
    );
  });
});

test("the index shows each record in a row, and keeps the text above it", () => {
  const readme = withIndex(readFileSync(join(decisionsFolder, "README.md"), "utf8"), [
    {
      file: "0006-better-sqlite3.md",
      number: "0006",
      title: "better-sqlite3 runs SQLite",
      status: "superseded",
      by: ["0085-better-sqlite3-13.md"],
      date: "2026-11-21",
    },
  ]);
  expect(readme).toMatch(/^# Decision records\n/);
  expect(readme.split("\n").at(-2)).toBe(
    "| 0006 | [better-sqlite3 runs SQLite](0006-better-sqlite3.md) | superseded by [0085](0085-better-sqlite3-13.md) | 2026-11-21 |",
  );
});
