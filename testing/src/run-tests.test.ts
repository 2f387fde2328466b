import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "./storage.ts";

const script = fileURLToPath(new URL("run-tests.ts", import.meta.url));

/** Runs the script with an npm that only prints its arguments. Returns Vitest's arguments and TANDEM_TESTS. */
async function run(args: string[], inherited: string): Promise<unknown> {
  await using directory = await temporaryDirectory();
  const npm = join(directory.path, "npm.mjs");
  await writeFile(
    npm,
    "console.log(JSON.stringify([process.argv.slice(2), process.env.TANDEM_TESTS ?? null]));",
  );
  const env = { ...process.env, TANDEM_TESTS: inherited, npm_execpath: npm };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env });
  const steps = stdout.trim().split("\n");
  expect(steps).toHaveLength(3);
  return steps.map((line) => JSON.parse(line)).find(([[command]]) => command === "exec");
}

const vitest = ["exec", "--", "vitest", "run"];

describe("npm test", () => {
  test("runs everything, even with TANDEM_TESTS=quick in the shell", async () => {
    expect(await run(["likes"], "quick")).toEqual([[...vitest, "likes"], null]);
  });

  test("makes a quick run with --quick", async () => {
    expect(await run(["--quick", "likes"], "")).toEqual([[...vitest, "likes"], "quick"]);
  });
});
