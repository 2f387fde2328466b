import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programOf } from "./programs.ts";

/** Runs what documents tell readers to run, which is curl's more often than not; gives back what it prints. */
export async function runShell(script: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  await programOf("curl");
  const { stdout } = await promisify(execFile)("sh", ["-e", "-c", script], {
    cwd,
    env: { ...process.env, ...env },
  });
  return stdout;
}
