import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const script = [...readme.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");

/** Expected output of the README's curl commands, in order: the text of each line that begins with `# →`. */
export const expectedLines = [...script.matchAll(/^# → (.+)$/gm)].map(([, text]) => String(text));

/**
 * Runs the README's curl commands in an empty folder, against a service with an empty database and the default limits.
 * Returns their output and the first expected line that is missing or out of order, or null.
 */
export async function runReadmeCommands(
  baseUrl: string,
): Promise<{ output: string; missing: string | null }> {
  const cwd = await mkdtemp(join(tmpdir(), "tandem-readme-"));
  try {
    const env = { ...process.env, TANDEM: baseUrl };
    const bash = promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd, env });
    const { stdout } = await bash;
    return { output: stdout, missing: firstMissing(stdout) };
  } finally {
    await rm(cwd, { recursive: true });
  }
}

function firstMissing(output: string): string | null {
  let at = 0;
  for (const text of expectedLines) {
    const found = output.indexOf(text, at);
    if (found < 0) return text;
    at = found + text.length;
  }
  return null;
}
