import "./small-heap.ts";
import cluster from "node:cluster";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigError, readConfig } from "./config.ts";

/** Starts the service in this process or in several, as configured. Sets the exit code if that fails. */
export async function start(): Promise<void> {
  let dataDir = "";
  try {
    readEnvFile();
    const config = readConfig(process.env);
    dataDir = resolve(config.dataDir);
    keepPrivate(dataDir);
    // Loaded here, so that a native library that can't be loaded is reported below like everything else.
    const { exitSoon, serve } = await import("./serve.ts");
    const { runWorkers } = await import("./workers/primary.ts");
    const { work } = await import("./workers/worker.ts");
    if (cluster.worker) await work(cluster.worker, config);
    else if (config.workers > 1) await runWorkers(config);
    else console.log(`Tandem serves ${(await serve(config, undefined, exitSoon)).address}`);
  } catch (error) {
    // What you can fix is one sentence; anything else is a bug and shows where it happened.
    console.error(sentenceOn(error, dataDir) ?? error);
    process.exitCode = 1;
    // The channel to the primary would keep this process alive.
    cluster.worker?.disconnect();
  }
}

/** What Tandem keeps in its data directory, and what a disk of its own has. */
const OWN = /^(?:tandem\.db(?:-\w+)?|secrets\.key(?:\.\d+)?|log-head\.json.*|media|incoming|lost\+found)$/;

/**
 * Lets no other user of the machine read the data directory, nor files that are created from now on. What holds other things, such as a
 * directory of the system that was named by mistake, stays as it is: other users may need it.
 */
function keepPrivate(dataDir: string): void {
  process.umask(0o077);
  try {
    if (readdirSync(dataDir).every((name) => OWN.test(name))) chmodSync(dataDir, 0o700);
  } catch {
    // It doesn't exist yet, is no directory, or belongs to another user, who decides.
  }
}

function readEnvFile(): void {
  if (!existsSync(".env")) return;
  try {
    process.loadEnvFile(".env");
  } catch (cause) {
    throw new ConfigError(`.env can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** A sentence for errors that an administrator can fix; null for bugs. */
function sentenceOn(error: unknown, dataDir: string): string | null {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return null;
  const { syscall, message, path } = error as NodeJS.ErrnoException;
  const code = String((error as NodeJS.ErrnoException).code);
  if (syscall === "listen" || syscall === "getaddrinfo") return `PORT or HOST can't be used: ${message}.`;
  if (syscall === "mkdir" || path?.startsWith(dataDir) || code.startsWith("SQLITE_"))
    return `DATA_DIR can't be used: ${message} (${dataDir}).`;
  if (/^(ERR_DLOPEN_FAILED|(ERR_)?MODULE_NOT_FOUND)$/.test(code) || message.includes("native binding"))
    return `A library can't be loaded (${message.split("\n")[0]}): run \`npm ci\` again, without --omit=optional.`;
  return null;
}
