import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { copyDatabase } from "./sqlite.ts";
import { startArguments } from "./start-arguments.ts";

/** `await using` kills it. */
export interface ServiceProcess extends AsyncDisposable {
  address: string;
  pid: number;
  /** Its output so far. */
  lines: string[];
  /** Sends the signal and waits until the process and its children have ended. Returns the exit code, if any. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the built service in a separate process, as administrators do, with its data in this directory.
 * @param prefix a command that runs it, such as `["nice", "-n", "5"]`
 */
export async function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
  prefix: string[] = [],
): Promise<ServiceProcess> {
  // A migration takes a third of the start.
  if (!env.DATABASE_URL) await copyDatabase(dataDir);
  return startProcessAsIs(dataDir, env, prefix);
}

/** The same, where the service finds only what is in the directory, and migrates. */
export async function startProcessAsIs(
  dataDir: string,
  env: Record<string, string> = {},
  prefix: string[] = [],
): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
  const [command = process.execPath, ...args] = [...prefix, process.execPath, ...startArguments, main];
  const service = spawn(command, args, {
    cwd: dataDir,
    // Don't inherit the environment: the test runner sets variables of the same name.
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      LIMIT_SESSION_WRITES_PER_MINUTE: "1000000",
      LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000",
      // As in `startTandem`: on a busy machine, bursts of requests would be shed.
      MAX_WAIT: "60000",
      DATABASE_TIMEOUT: "120",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  // "close" comes when its output is closed, so after its last child process.
  const ended = once(service, "close").then(([code]) => code as number | null);
  const stop = async (signal: NodeJS.Signals) => {
    service.kill(signal);
    return ended;
  };
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: service.stdout }).on("line", (line) => {
      lines.push(line);
      const served = /^Tandem serves (http:\S+)/.exec(line)?.[1];
      if (served) resolve(served);
    });
    void ended.then(() => reject(new Error("the service exited before it listened")));
  });
  return {
    address,
    pid: service.pid ?? 0,
    lines,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}
