import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MissingProgramError, programOf } from "@tandem/testing/programs";
import type { Request } from "../requests.ts";

const execute = promisify(execFile);

/** What a load generator prints. */
export interface Measured {
  /** Responses. */
  count: number;
  /** Responses per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Responses other than 2xx and 3xx, and requests without a response. */
  failed: number;
}

/** Requests to be sent over and over, in order. `await using` removes their file. */
export interface Load extends AsyncDisposable {
  /** Sends requests for some seconds, from where the last run ended. Throws if any fails. */
  run(seconds: number): Promise<Measured>;
}

export const CONNECTIONS = 16;

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Load from a process of its own: `wrk`, which is installed if possible, and otherwise autocannon, which needs several times the
 * CPU time.
 */
export async function loadOf(baseUrl: string, requests: Request[]): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-load-"));
  const file = join(folder, "requests");
  await writeFile(file, requests.map((request) => bytesOf(baseUrl, request)).join("\0"));
  const wrk = await programOf("wrk").catch((error) => {
    if (error instanceof MissingProgramError) return null;
    throw error;
  });
  let next = 0;
  return {
    async run(seconds) {
      const args = [file, String(next)];
      const { stdout } = wrk
        ? await execute(wrk, [
            `-t1`,
            `-c${CONNECTIONS}`,
            `-d${seconds}s`,
            "--timeout=60s",
            `-s${pathOf("wrk.lua")}`,
            baseUrl,
            "--",
            ...args,
          ])
        : await execute(process.execPath, [pathOf("autocannon.ts"), baseUrl, String(seconds), ...args]);
      const measured = JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as Measured;
      // Those that were in progress at the end were sent, too.
      next = (next + measured.count + CONNECTIONS) % requests.length;
      if (measured.failed > 0 || measured.count === 0)
        throw new Error(
          `${measured.failed} of ${measured.count} requests such as ${requests[0]?.path} failed`,
        );
      return measured;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export function bytesOf(baseUrl: string, { method = "GET", path, headers = {}, body }: Request): string {
  const text = body ? JSON.stringify(body) : "";
  const all = {
    host: new URL(baseUrl).host,
    ...(method !== "GET" && { "content-length": Buffer.byteLength(text) }),
    ...(body && { "content-type": "application/json" }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}
