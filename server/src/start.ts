import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { ConfigError, readConfig } from "./config.ts";
import { serve } from "./serve.ts";
import { keepWorkers, NoWorkers } from "./workers/primary.ts";
import { work } from "./workers/worker.ts";

/** Serves as the settings say, in this process or in several. Sets the exit code where that fails. */
export async function start(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  try {
    const config = readConfig(process.env);
    if (cluster.worker) await work(cluster.worker, config);
    else if (config.workers > 1) await keepWorkers(config);
    else console.log(`Tandem serves ${(await serve(config)).address}`);
  } catch (error) {
    // What you can fix is one sentence; anything else is a bug and shows where it happened.
    console.error(sentenceOn(error) ?? error);
    process.exitCode = 1;
    // The channel to the primary would keep this process alive.
    cluster.worker?.disconnect();
  }
}

/** What an operator can fix, in one sentence; null for what only a developer can. */
function sentenceOn(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof NoWorkers) return error.message;
  const { code = "", syscall, message } = error as { code?: string; syscall?: string; message: string };
  if (syscall === "listen") return `PORT or HOST can't be used: ${message}.`;
  if (syscall === "mkdir" || code.startsWith("SQLITE_")) return `DATA_DIR can't be used: ${message}.`;
  return null;
}
