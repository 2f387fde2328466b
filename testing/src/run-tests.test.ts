import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "./storage.ts";

const script = fileURLToPath(new URL("run-tests.ts", import.meta.url));

/** Runs the script with an npm that only prints what it is told. Gives back what Vitest would be told, and its layer. */
async function run(args: string[], layer: string): Promise<unknown> {
  await using directory = await temporaryDirectory();
  const npm = join(directory.path, "npm.mjs");
  await writeFile(
    npm,
    "console.log(JSON.stringify([process.argv.slice(2), process.env.TANDEM_TESTS ?? null]));",
  );
  const env = { ...process.env, TANDEM_TESTS: layer, npm_execpath: npm };
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

  test("runs the quick layer with --quick", async () => {
    expect(await run(["--quick", "likes"], "")).toEqual([[...vitest, "likes"], "quick"]);
  });
});
