import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { temporaryDirectory } from "@tandem/testing/storage";
import { expect, test } from "vitest";

/** Lines from a few bytes to more than a pipe takes in one piece. */
const someLines = () => Array.from({ length: 300 }, (_, i) => `${i} ${"é".repeat((i * 37) % 2500)}`);

const program = `
  import { logOutput } from ${JSON.stringify(new URL("log-output.ts", import.meta.url).href)};
  for (const line of (${someLines})()) logOutput().write(line + "\\n");
  process.exit();`;

const logTo = (output: number | "pipe") =>
  spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", output, "inherit"],
  });

const whole = [...someLines(), ""].join("\n");

test("lines reach a pipe whole, in order, and before the process exits", async () => {
  const { stdout } = logTo("pipe");
  expect(stdout && (await text(stdout))).toBe(whole);
});

test("lines reach a file whole, in order, and before the process exits", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "log");
  const file = await open(path, "w");
  await once(logTo(file.fd), "exit");
  await file.close();
  expect(await readFile(path, "utf8")).toBe(whole);
});
