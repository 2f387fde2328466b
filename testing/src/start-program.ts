import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { waitForPort } from "./ports.ts";
import { type Program, programOf } from "./programs.ts";

/** `await using` kills it. */
export interface RunningProgram extends AsyncDisposable {
  pid: number;
  /** Kills it without notice, like a power cut. */
  kill(): Promise<void>;
}

/** Starts a program and waits until it listens on the port. */
export async function startProgram(
  name: Program,
  args: string[],
  port: number,
  options: SpawnOptions = {},
): Promise<RunningProgram> {
  const program = spawn(await programOf(name), args, { stdio: "ignore", ...options });
  const ended = once(program, "exit");
  await waitForPort(program, port);
  const kill = async () => {
    program.kill("SIGKILL");
    await ended;
  };
  return { pid: program.pid ?? 0, kill, [Symbol.asyncDispose]: kill };
}
