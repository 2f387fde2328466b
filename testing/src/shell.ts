import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
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

export interface Shell extends AsyncDisposable {
  /** Returns the output of commands, one call after the other. */
  run(script: string): Promise<string>;
}

/** A shell for many scripts: it starts programs in a tenth of the time that a large process such as a test's needs. */
export async function openShell(cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Shell> {
  await programOf("curl");
  const options = { cwd, env: { ...process.env, ...env } };
  const shell = spawn("sh", ["-e"], { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(shell, "close");
  // `run` says that the shell has ended.
  shell.stdin.on("error", () => {});
  const output = shell.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  return {
    async run(script) {
      shell.stdin.write(`{ ${script}\n} </dev/null; printf '\\0'\n`);
      let text = "";
      while (!text.endsWith("\0")) {
        const { value, done } = await output.next();
        if (done) throw new Error(`failed: ${script}`);
        text += value;
      }
      return text.slice(0, -1);
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      await ended;
    },
  };
}
