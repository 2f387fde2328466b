import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programOf } from "@tandem/testing/programs";
import { startTandem } from "@tandem/testing/tandem";
import { beforeAll, expect, test } from "vitest";
import { limitSettings } from "./settings.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

beforeAll(() => programOf("curl"), 300_000);

test("the story that the README tells with curl is true to the letter", async () => {
  const script = [...readme.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
  const expected = [...script.matchAll(/^# → (.+)$/gm)].map(([, text]) => String(text));
  expect(expected.length).toBeGreaterThan(20);
  const told = await run(script);
  let at = 0;
  for (const text of expected) {
    const found = told.indexOf(text, at);
    expect(found, `"${text}" should come after what was told so far, in:\n${told}`).toBeGreaterThanOrEqual(0);
    at = found + text.length;
  }
});

/** Runs the script where it can leave its files, against a service with the limits that it has by default. */
async function run(script: string): Promise<string> {
  const env = Object.fromEntries(limitSettings().map(({ name }) => [name, ""]));
  await using tandem = await startTandem("sqlite", { env });
  const cwd = await mkdtemp(join(tmpdir(), "tandem-readme-"));
  try {
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
      cwd,
      env: { ...process.env, TANDEM: tandem.baseUrl },
    });
    return stdout;
  } finally {
    await rm(cwd, { recursive: true });
  }
}
