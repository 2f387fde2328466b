import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test as vitestTest } from "vitest";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const config = fileURLToPath(new URL("skipping-fixture/vitest.config.ts", import.meta.url));

/** Runs the fixture's tests, or those with a matching name, as if no program existed or could be installed. */
function run(env: Record<string, string>, name = "") {
  const args = [vitest, "run", "--config", config, "--testNamePattern", name];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { NO_COLOR: "1", PATH: "/nowhere", ...env },
    encoding: "utf8",
  });
  const lines = stdout.split("\n").map((line) => line.trim());
  return {
    status,
    counts: lines.find((line) => line.startsWith("Tests "))?.replace(/^Tests +/, ""),
    summary: lines.slice(lines.findIndex((line) => line.startsWith("Duration")) + 1).filter(Boolean),
    failed: stderr.split("\n").flatMap((line) => /^ FAIL +fixture\.ts > (.+)$/.exec(line)?.[1] ?? []),
  };
}

/**
 * A test whose failure is also an uncaught error. That fails the run whatever the runner does, which matters because these
 * tests run under the runner that they test.
 */
function test(name: string, check: () => void): void {
  vitestTest(name, async () => {
    try {
      check();
    } catch (error) {
      setImmediate(() => {
        throw error;
      });
      await nextTurn();
      throw error;
    }
  });
}

const programs = [
  expect.stringMatching(/^caddy \(2 tests\): .*install/),
  expect.stringMatching(/^exiftool \(2 tests\): .*install/),
];
const failures = [
  "fails > by itself",
  "fails > before a hook > that lacks a program",
  "fails > in a suite > whose last hook lacks a program",
];

describe("if programs are missing", () => {
  test("skips the tests that need them, and the run passes", () => {
    expect(run({}, "passes|needs a program")).toEqual({
      status: 0,
      counts: "1 passed | 7 skipped (8)",
      summary: ["4 tests skipped because programs are missing:", ...programs],
      failed: [],
    });
  });

  test("fails the run with any other failure", () => {
    const { status, counts, summary, failed } = run({});
    expect([status, counts]).toEqual([1, "3 failed | 1 passed | 4 skipped (8)"]);
    expect(summary).toEqual(["4 tests skipped because programs are missing:", ...programs]);
    expect(failed).toEqual(expect.arrayContaining(failures));
  });

  test("with CI set, fails the tests that need them", () => {
    const { status, counts, summary, failed } = run({ CI: "true" }, "passes|needs a program");
    expect([status, counts]).toEqual([1, "2 failed | 1 passed | 5 skipped (8)"]);
    expect(summary).toEqual(["4 tests failed because programs are missing:", ...programs]);
    const expected = ["in a hook", "in a test", "inside a library that wraps errors"];
    expect(new Set(failed)).toEqual(new Set(expected.map((one) => `needs a program > ${one}`)));
  });
});

describe("a quick run", () => {
  const quick: Record<string, string> = { TANDEM_TESTS: "quick" };
  const summary = [
    "Quick run: without PostgreSQL, files named *.slow.test.ts and 4 tests. npm test runs them all.",
  ];

  test("leaves out the tests that need programs, with or without CI", () => {
    for (const env of [quick, { ...quick, CI: "true" }])
      expect(run(env, "passes|needs a program")).toEqual({
        status: 0,
        counts: "1 passed | 7 skipped (8)",
        summary,
        failed: [],
      });
  });

  test("fails with any other failure", () => {
    const { status, failed, ...rest } = run(quick);
    expect([status, rest.summary]).toEqual([1, summary]);
    expect(failed).toEqual(expect.arrayContaining(failures));
  });
});
