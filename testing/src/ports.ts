import type { ChildProcess } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Below those that systems give to whoever connects or asks for any port: none of these is taken by chance meanwhile. */
const ports = { from: 10_000, to: 32_000 };

/** A port that nobody listens on, for programs that can't choose one themselves; by lot, for tests run side by side. */
export async function freePort(): Promise<number> {
  const { from, to } = ports;
  let port = from;
  do port = from + Math.floor(Math.random() * (to - from));
  while (!(await isFree(port)));
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Resolves once the program listens there; throws if it ends instead. */
export async function waitForPort(program: ChildProcess, port: number): Promise<void> {
  await until(async () => {
    if (program.exitCode !== null) throw new Error(`${program.spawnfile} ended before it listened`);
    return accepts(port);
  });
}

/** Resolves once it is so; whoever waits in vain is ended by the test's own limit. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10);
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
