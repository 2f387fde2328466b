import { setTimeout as pause } from "node:timers/promises";
import { createApp, createLog, listen } from "./app.ts";
import { backgroundJobs } from "./background.ts";
import type { Config } from "./config.ts";
import { remotePicturesOf } from "./features/remote-pictures/remote-pictures.ts";
import { buildInfo } from "./http/build-info.ts";
import type { Metrics } from "./http/metrics.ts";
import { watchOpenFiles } from "./http/open-files.ts";
import type { Grace } from "./http/shutdown.ts";
import { runJobs, type StopJobs } from "./jobs/run.ts";
import { openStorage } from "./storage/open.ts";
import { startTracing, stopTracing } from "./tracing/tracing.ts";

/** Milliseconds that requests get to finish when the service stops. */
const GRACE: Grace = { idle: 1000, transfer: 3500, work: 20_000 };

/** Milliseconds that background work gets at least, even if connections have used up the time. */
const BACKGROUND_TIMEOUT = 500;

/** Milliseconds that a stop waits for the last traces to be sent. */
const TRACES_TIMEOUT = 500;

/** Milliseconds that a stop takes at most, apart from what the disk takes. */
export const longestStop = ({ stopDelay }: Config): number => stopDelay + GRACE.work + GRACE.transfer;

/** Signals that stop the service; a second one ends it immediately. */
export const endings = ["SIGTERM", "SIGINT"] as const;

export interface Service {
  /** The public URL. */
  address: string;
  /** Resolves once requests have finished and all writes are durable. The reason is for the log. */
  stop(reason?: string): Promise<void>;
}

/** Serves from this process until a signal or `stop` ends it. `onStopped` is called either way. */
export async function serve(config: Config, metrics?: Metrics, onStopped = () => {}): Promise<Service> {
  await startTracing(config.tracing, createLog(config));
  const log = createLog(config);
  const storage = await openStorage(config, (sentence) => log.warn(sentence));
  const app = createApp({ config, storage, ...(metrics && { metrics }) });
  const stopWatching = watchOpenFiles(log);
  let address = "";
  let stopJobs: StopJobs = async () => {};
  const end = async (reason: string) => {
    const { server, services } = app;
    const since = performance.now();
    if (address) log.info({ reason }, "the service stops");
    services.shutdown.hasBegun = true;
    if (address) await pause(config.stopDelay);
    services.streams.close();
    remotePicturesOf(services).stop();
    const jobsStopped = stopJobs();
    await services.shutdown.close(server, GRACE);
    await server.close();
    const background = Promise.all([jobsStopped, services.afterResponse.idle()]);
    const left = GRACE.transfer - services.shutdown.sinceLastHandled;
    await atMost(Math.max(BACKGROUND_TIMEOUT, left), background);
    stopWatching();
    await Promise.all([storage.close(), atMost(TRACES_TIMEOUT, stopTracing())]);
    if (address) log.info({ duration_ms: performance.now() - since }, "the service has stopped");
    for (const signal of endings) process.off(signal, onSignal);
    onStopped();
  };
  let ending: Promise<void> | undefined;
  const stop = (reason = "asked by the program that started it") => {
    ending ??= end(reason);
    return ending;
  };
  const onSignal = (signal: NodeJS.Signals) => void stop(signal);
  for (const signal of endings) process.once(signal, onSignal);
  address = await listen(app).catch(async (error) => {
    await stop();
    throw error;
  });
  log.info({ address, ...buildInfo(config.commit) }, "the service has started");
  // Jobs need the public URL, which is known once the service listens.
  if (!ending) stopJobs = runJobs(app.services, backgroundJobs);
  return { address, stop };
}

/** Waits for background work. What isn't done in time is repeated later: it had to expect the process's death anyway. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const end = () => done.abort();
  work.then(end, end);
  await pause(milliseconds, null, done).catch(() => {});
}

/** Ends the process even if something, such as a client's connection to a second address, would keep it alive. */
export function exitSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}
