import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** `await using` ends it, if nothing else has. */
export interface ServiceProcess extends AsyncDisposable {
  address: string;
  /** What it has said until now, line by line. */
  lines: string[];
  /** Sends the signal, and waits until the process and all that it began are gone. Gives back the exit code, if any. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** The service as an operator runs it, in a process of its own, keeping its data here. */
export async function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
  const service = spawn(process.execPath, [main], {
    cwd: dataDir,
    // Nothing of this process's own settings: a test runner has some of the same name.
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      LIMIT_SESSION_WRITES_PER_MINUTE: "1000000",
      LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  // Comes when nobody can write to its output any more: not before the last of its own processes has ended.
  const gone = once(service, "close").then(([code]) => code as number | null);
  const stop = async (signal: NodeJS.Signals) => {
    service.kill(signal);
    return gone;
  };
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: service.stdout }).on("line", (line) => {
      lines.push(line);
      const served = /^Tandem serves (http:\S+)/.exec(line)?.[1];
      if (served) resolve(served);
    });
    void gone.then(() => reject(new Error("the service ended before it served")));
  });
  return { address, lines, stop, [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")) };
}
