import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in a separate process, so that it can use another core. */
export interface ServerProcess extends AsyncDisposable {
  baseUrl: string;
  pid: number;
}

/** Starts a script and waits until it prints its address. If it ends before that, throws an error with its output. */
export async function startServer(
  script: string,
  env: NodeJS.ProcessEnv = {},
  input?: Buffer,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(input);
  const baseUrl = await firstAddress(child);
  return { baseUrl, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => stop(child) };
}

async function firstAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("the process has no output");
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /serves (http:\S+)/.exec(line)?.[1];
    if (address) return address;
    output.push(line);
  }
  throw new Error(`the server ended before it served: ${output.join("\n")}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
