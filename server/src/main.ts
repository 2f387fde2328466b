import { existsSync } from "node:fs";
import { createApp, listen } from "./app.ts";
import { ConfigError, readConfig } from "./config.ts";
import { keepHouse } from "./housekeeping.ts";
import { openStorage } from "./storage/open.ts";

/** Milliseconds that requests in flight get to finish, once the service is told to stop. */
const PATIENCE = 20_000;

if (existsSync(".env")) process.loadEnvFile(".env");

try {
  await serve();
} catch (error) {
  // A wrong setting is told in its own sentence; anything else is a fault and shows where.
  console.error(sentenceOn(error) ?? error);
  process.exitCode = 1;
}

/** What an operator can mend, told in a sentence; null for what only a developer can. */
function sentenceOn(error: unknown): string | null {
  if (error instanceof ConfigError) return error.message;
  const { code = "", syscall, message } = error as { code?: string; syscall?: string; message: string };
  if (syscall === "listen") return `PORT or HOST can't be used: ${message}.`;
  if (syscall === "mkdir" || code.startsWith("SQLITE_")) return `DATA_DIR can't be used: ${message}.`;
  return null;
}

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const storage = await openStorage(config);
  const app = createApp({ config, storage });
  const stopKeeping = keepHouse(app.house);
  // Requests in flight finish, and what they wrote is on the disk, before the process ends.
  const stop = async () => {
    stopKeeping();
    setTimeout(() => app.server.server.closeAllConnections(), PATIENCE).unref();
    await app.server.close();
    await app.house.media.idle();
    await storage.close();
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop());
  const address = await listen(app).catch(async (error) => {
    await storage.close();
    throw error;
  });
  console.log(`Tandem serves ${address}`);
}
