import type { ChildProcess } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { pauses } from "./eventually.ts";

/** Below the ephemeral ports, so that the system doesn't assign one of these meanwhile. */
const ports = { from: 10_000, to: 32_000 };

/** A free port, for programs that can't choose one. Random, because tests run in parallel. */
export async function freePort(): Promise<number> {
  const { from, to } = ports;
  let port = from;
  do port = from + Math.floor(Math.random() * (to - from));
  while (!(await isFree(port)));
  return port;
}

/**
 * Ports of stopped services that a browser had opened. The next service in this process takes one: under the same address, the
 * browser has the app's files in its cache, already compiled.
 */
const reusable: number[] = [];

export function reusePort(port: number): void {
  reusable.push(port);
}

/** A port of an earlier service, or 0, so that the system assigns one. */
export async function portForService(): Promise<number> {
  for (let port = reusable.pop(); port !== undefined; port = reusable.pop())
    if (await isFree(port)) return port;
  return 0;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Resolves once the program listens on the port; throws if the program ends first. */
export async function waitForPort(program: ChildProcess, port: number): Promise<void> {
  await until(async () => {
    if (program.exitCode !== null) throw new Error(`${program.spawnfile} ended before it listened`);
    return accepts(port);
  });
}

/** Polls until the condition holds. If it never does, the test times out. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const wait of pauses()) {
    if (await condition()) return;
    await pause(wait);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const tell = (found: boolean) => () => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", tell(true)).once("error", tell(false));
  });
}
