import type { ChildProcess } from "node:child_process";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A port that nobody listens on, for programs that can't choose one themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Resolves once the program listens there; throws if it ends instead. */
export async function listening(program: ChildProcess, port: number): Promise<void> {
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
