import { rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { defaultLimits, type LimitTable } from "@tandem/contract/tiers";
import { createApp, listen } from "@tandem/server/app";
import { type Environment, readConfig } from "@tandem/server/config";
import type { Services } from "@tandem/server/http/services";
import { openStorage } from "@tandem/server/storage/open";
import type { Storage } from "@tandem/server/storage/storage";
import { Callers } from "./callers.ts";
import { watchErrors } from "./declared-errors.ts";
import { portForService, reusePort } from "./ports.ts";
import { createDatabase } from "./postgres.ts";
import { isQuick } from "./quick-run.ts";
import { startS3 } from "./s3.ts";
import { scratchDirectory } from "./scratch.ts";
import { copyDatabase } from "./sqlite.ts";

export type EngineName = "sqlite" | "postgres";
/**
 * Both databases, for suites with tests whose outcome can depend on the database: on queries, transactions, concurrency, order,
 * search. Other suites use `startTandem()` with the default.
 */
export const engines: readonly EngineName[] = isQuick ? ["sqlite"] : ["sqlite", "postgres"];
/**
 * In a suite that runs on both databases: whether to run the tests whose outcome doesn't depend on the database, which need
 * only one. For a single test there is `testOnce`.
 */
export const runsOnceTests = (engine: EngineName): boolean => engine === "sqlite";

/** Media stores: tests about stored media run on each. */
export const stores = ["disk", "s3"] as const;
export type StoreName = (typeof stores)[number];

/** Each database and each store once, for suites about both; the combinations don't matter. */
export const enginesWithStores: readonly (readonly [EngineName, StoreName])[] = [
  ["sqlite", "disk"],
  ...(isQuick ? [] : ([["postgres", "s3"]] as const)),
];

/** From now on, each read of this service asks the database, as if it kept nothing. */
export function keepNothing({ storage }: Tandem): void {
  Object.assign(storage, { version: () => null, askVersion: async () => null } satisfies Partial<Storage>);
}

/** Setting for tests of races among many transactions on PostgreSQL. */
export const manyConnections: Environment = { DATABASE_CONNECTIONS: "8" };

export interface StartOptions {
  /** Settings, as environment variables. */
  env?: Environment;
  /** Clock. Default: the real one. */
  now?: () => number;
  /** Media store. Default: disk. */
  store?: StoreName;
  /** Directory for the database, which isn't removed. */
  dataDir?: string;
  /** A service whose database and directory this one uses, too, like another process of it. */
  alongside?: Tandem;
}

/** A real service on a real database and a real socket. */
export interface Tandem extends AsyncDisposable {
  readonly baseUrl: string;
  readonly storage: Storage;
  readonly services: Services;
  readonly limits: LimitTable;
  /** Typed clients of every kind of caller. */
  readonly as: Callers;
  /** Says that a browser has opened it, so that the next service gets its port. */
  openedByBrowser(): void;
  stop(): Promise<void>;
}

/** Quotas that no test reaches by accident. Tests of quotas set their own in `env`. */
const highQuotas: Environment = Object.fromEntries(
  Object.keys(defaultLimits.tiers.probation).map((quota) => [
    `LIMIT_TIERS_PROBATION_${quota.toUpperCase()}`,
    "1000000",
  ]),
);

/** The same for throttles. */
const highThrottles: Environment = {
  LIMIT_THROTTLES_PASSWORD_PER_ACCOUNT_LIMIT: "1000000",
  LIMIT_THROTTLES_SECOND_FACTOR_PER_ACCOUNT_LIMIT: "1000000",
  LIMIT_THROTTLES_MAIL_PER_ACCOUNT_LIMIT: "1000000",
  LIMIT_THROTTLES_EXPORT_PER_ACCOUNT_LIMIT: "1000000",
  LIMIT_THROTTLES_REPORTS_PER_ACCOUNT_LIMIT: "1000000",
  LIMIT_THROTTLES_COMMUNITY_BANS_PER_ACCOUNT_LIMIT: "1000000",
  LIMIT_THROTTLES_NEW_AGENTS_PER_ACCOUNT_LIMIT: "1000000",
};

/** Milliseconds that requests in progress get to finish. */
const SHUTDOWN_TIMEOUT = 5000;

/** Starts a service, which takes some milliseconds; `await using` stops it and removes its data. */
export async function startTandem(
  engine: EngineName = "sqlite",
  options: StartOptions = {},
): Promise<Tandem> {
  const other = options.alongside?.services.config;
  const givenDir = options.dataDir ?? other?.dataDir;
  const dataDir = givenDir ?? (await scratchDirectory("tandem"));
  if (engine === "sqlite") await copyDatabase(dataDir);
  const env = {
    PORT: "0",
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    // No requests for link cards and links of profiles, except in tests about them.
    LINK_CARDS: "0",
    LINK_CHECKS: "0",
    MAIL_URL: "off",
    // Enough for a transaction, another that waits for its lock, and a look at who waits. Each connection plans every statement itself.
    DATABASE_CONNECTIONS: "3",
    // On a busy machine a request may wait long, and what a test changes must show at once.
    MAX_WAIT: "60000",
    DATABASE_TIMEOUT: "120",
    PAGE_CACHE: "0",
    ...highQuotas,
    ...highThrottles,
    LIMIT_SESSION_WRITES_PER_MINUTE: "1000000",
    LIMIT_DRY_RUNS_PER_MINUTE: "1000000",
    LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000",
  };
  const givenUrl = options.env?.DATABASE_URL ?? other?.database?.url;
  const database = engine === "postgres" && !givenUrl ? await createDatabase() : null;
  const s3 = options.store === "s3" ? await startS3() : null;
  const config = readConfig({
    ...env,
    ...(engine === "postgres" && { DATABASE_URL: database?.localUrl ?? givenUrl }),
    ...(s3 && { MEDIA_URL: s3.mediaUrl }),
    ...options.env,
  });
  const storage = await openStorage(config);
  const app = createApp({ config, storage, ...(options.now && { now: options.now }) });
  const expectDeclaredErrors = watchErrors(app.server);
  if (config.port === 0) Object.assign(config, { port: await portForService() });
  await listen(app);
  // Where it listens; BASE_URL may differ.
  const { port } = app.server.server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  let isOpenedByBrowser = false;
  const stop = async () => {
    // As in `serve.ts`: a client may keep an unused connection open.
    const impatience = setTimeout(() => app.server.server.closeAllConnections(), SHUTDOWN_TIMEOUT);
    await app.server.close();
    clearTimeout(impatience);
    if (isOpenedByBrowser) reusePort(port);
    await app.services.afterResponse.idle();
    await storage.close();
    await database?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
    if (givenDir === undefined) await rm(dataDir, { recursive: true, force: true });
    expectDeclaredErrors();
  };
  return {
    baseUrl,
    storage,
    services: app.services,
    limits: config.limits,
    as: new Callers(baseUrl),
    openedByBrowser: () => {
      isOpenedByBrowser = true;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
