import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@tandem/testing/ports";
import { startArguments } from "@tandem/testing/start-arguments";
import type { World } from "./world.ts";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A service as `npm start` runs it, with its default settings and its log in a file, except that no quota limits the load. */
export interface Service extends AsyncDisposable {
  baseUrl: string;
  pid: number;
  /** The process of PostgreSQL, if it is used. */
  database?: number;
  /** Milliseconds by which the event loop was late during the work, at the 99.9th percentile. */
  eventLoopDelay(work: () => Promise<unknown>): Promise<number>;
}

export async function startService(
  world: World,
  more: Record<string, string> = {},
  script = pathOf("../../../server/dist/main.js"),
): Promise<Service> {
  const port = await freePort();
  const delayFile = join(world.directory, "delay");
  const log = openSync(join(world.directory, "log"), "a");
  const child = spawn(process.execPath, [...startArguments, script], {
    env: {
      ...process.env,
      ...world.env,
      PORT: String(port),
      LINK_CARDS: "0",
      MAX_WAIT: "60000",
      LIMIT_SESSION_WRITES_PER_MINUTE: "1000000000",
      LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000000",
      NODE_OPTIONS: `--import=${pathOf("event-loop-delay.mjs")}`,
      DELAY_FILE: delayFile,
      ...more,
    },
    stdio: ["ignore", log, log],
  });
  const pid = child.pid ?? 0;
  const baseUrl = `http://127.0.0.1:${port}`;
  await readiness(child, `${baseUrl}/readyz`, join(world.directory, "log"));
  return {
    baseUrl,
    pid,
    ...(world.database && { database: world.database.pid }),
    async eventLoopDelay(work) {
      process.kill(pid, "SIGUSR2");
      await work();
      process.kill(pid, "SIGUSR2");
      await pause(500);
      return Number(readFileSync(delayFile, "utf8"));
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function readiness(child: ChildProcess, url: string, log: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The service ended: ${readFileSync(log, "utf8")}`);
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(50);
  }
}
