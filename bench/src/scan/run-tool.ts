import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type Program, programOf } from "@tandem/testing/programs";

/** Runs a program and returns its output. Kills it after so many seconds. */
export async function runTool(name: Program, args: string[], seconds: number, log?: string): Promise<string> {
  const child = spawn(await programOf(name), args, { stdio: ["ignore", "pipe", "pipe"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  const text = Buffer.concat(output).toString();
  if (log) await finished(createWriteStream(log, { flags: "a" }).end(text));
  return text;
}

/** Works on a list with so many at a time, until the deadline. Returns what is left. */
export async function inParallel<T>(
  list: readonly T[],
  workers: number,
  deadline: number,
  work: (item: T) => Promise<void>,
): Promise<T[]> {
  const left = [...list];
  const worker = async () => {
    while (left.length > 0 && performance.now() < deadline) await work(left.shift() as T);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return left;
}
