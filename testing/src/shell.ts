import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programOf } from "./programs.ts";

/** Runs shell commands from a document, which usually use curl, and returns their output. */
export async function runShell(script: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  await programOf("curl");
  const { stdout } = await promisify(execFile)("sh", ["-e", "-c", script], {
    cwd,
    env: { ...process.env, ...env },
  });
  return stdout;
}
