import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** `await using` ends it, if nothing else has. */
export interface Served extends AsyncDisposable {
  address: string;
  /** Sends the signal, and waits until the process is gone. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** The service as an operator runs it, in a process of its own, keeping its data here. */
export async function serveIn(dataDir: string, env: Record<string, string> = {}): Promise<Served> {
  const main = fileURLToPath(import.meta.resolve("@tandem/server/main"));
  const service = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), main], {
    cwd: dataDir,
    // Nothing of this process's own settings: a test runner has some of the same name.
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      LIMIT_SESSION_WRITES_PER_MINUTE: "1000000",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(service, "exit");
  for await (const line of service.stdout) {
    const [address] = /http:\/\/\S+/.exec(String(line)) ?? [];
    if (address === undefined) continue;
    const stop = async (signal: NodeJS.Signals) => {
      service.kill(signal);
      await gone;
    };
    return { address, stop, [Symbol.asyncDispose]: () => stop("SIGKILL") };
  }
  throw new Error("the service ended before it served");
}
