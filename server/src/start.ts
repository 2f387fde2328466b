import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { ConfigError, readConfig } from "./config.ts";
import { serve } from "./serve.ts";
import { keepWorkers, NoWorkers } from "./workers/primary.ts";
import { work } from "./workers/worker.ts";

if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const config = readConfig(process.env);
  if (cluster.worker) await work(cluster.worker, config);
  else if (config.workers > 1) await keepWorkers(config);
  else console.log(`Tandem serves ${(await serve(config)).address}`);
} catch (error) {
  // A wrong setting is told in its own sentence; anything else is a fault and shows where.
  console.error(sentenceOn(error) ?? error);
  process.exitCode = 1;
  // A worker would be kept by its channel to the primary.
  cluster.worker?.disconnect();
}

/** What an operator can mend, told in a sentence; null for what only a developer can. */
function sentenceOn(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof NoWorkers) return error.message;
  const { code = "", syscall, message } = error as { code?: string; syscall?: string; message: string };
  if (syscall === "listen") return `PORT or HOST can't be used: ${message}.`;
  if (syscall === "mkdir" || code.startsWith("SQLITE_")) return `DATA_DIR can't be used: ${message}.`;
  return null;
}
