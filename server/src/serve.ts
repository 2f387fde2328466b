import { setTimeout as pause } from "node:timers/promises";
import { createApp, createLog, listen } from "./app.ts";
import { backgroundJobs } from "./background.ts";
import type { Config } from "./config.ts";
import type { Metrics } from "./http/metrics.ts";
import { runJobs, type StopJobs } from "./jobs/run.ts";
import { openStorage } from "./storage/open.ts";

/** Milliseconds that requests and jobs get to finish when the service stops. */
export const PATIENCE = 20_000;

/** Signals that stop the service; a second one ends it immediately. */
export const endings = ["SIGTERM", "SIGINT"] as const;

export interface Service {
  /** The public URL. */
  address: string;
  /** Resolves once requests have finished and all writes are durable. */
  stop(): Promise<void>;
}

/** Serves from this process until a signal or `stop` ends it. `onStopped` is called either way. */
export async function serve(config: Config, metrics?: Metrics, onStopped = () => {}): Promise<Service> {
  const log = createLog(config);
  const storage = await openStorage(config, (sentence) => log.warn(sentence));
  const app = createApp({ config, storage, ...(metrics && { metrics }) });
  let stopJobs: StopJobs = async () => {};
  const end = async () => {
    const patience = pause(PATIENCE, null, { ref: false });
    void patience.then(() => app.server.server.closeAllConnections());
    await Promise.all([app.server.close(), Promise.race([stopJobs(), patience])]);
    await Promise.race([app.services.afterResponse.idle(), patience]);
    await storage.close();
    for (const signal of endings) process.off(signal, onSignal);
    onStopped();
  };
  let ending: Promise<void> | undefined;
  const stop = () => {
    ending ??= end();
    return ending;
  };
  const onSignal = () => void stop();
  for (const signal of endings) process.once(signal, onSignal);
  const address = await listen(app).catch(async (error) => {
    await stop();
    throw error;
  });
  // Jobs need the public URL, which is known once the service listens.
  if (!ending) stopJobs = runJobs(app.services, backgroundJobs);
  return { address, stop };
}
