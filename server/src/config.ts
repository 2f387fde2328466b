import { isAbsolute, resolve } from "node:path";
import { defaultLimits, type LimitTable } from "@tandem/contract/tiers";

/** A provider of identities, and the client id that its tokens must be made out to. */
export interface ProviderConfig {
  clientIds: string[];
  issuer: string;
}

export interface Config {
  port: number;
  host: string;
  /** Where the world reaches the service, without a slash at the end; null until the port is known. */
  baseUrl: string | null;
  dataDir: string;
  /** How many proxies before us may be believed about the caller's address. */
  trustProxy: number;
  liveUrl: string | null;
  logLevel: string;
  google: ProviderConfig | null;
  apple: ProviderConfig | null;
  limits: LimitTable;
}

export type Environment = Record<string, string | undefined>;

/** A setting that can't be meant so. Its message is one sentence that names the setting. */
export class ConfigError extends Error {}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Reads the environment; every setting has a default. Throws {@link ConfigError}. */
export function readConfig(env: Environment): Config {
  refuseForeignDatabase(env);
  return {
    port: whole(env, "PORT", 3000, 0, 65_535),
    host: env.HOST || "127.0.0.1",
    baseUrl: webAddress(env, "BASE_URL"),
    dataDir: directory(env.DATA_DIR || "./data"),
    trustProxy: whole(env, "TRUST_PROXY", 0, 0, 100),
    liveUrl: webAddress(env, "LIVE_URL"),
    logLevel: oneOf(env, "LOG_LEVEL", "info", logLevels),
    google: provider(env, "GOOGLE", "https://accounts.google.com"),
    apple: provider(env, "APPLE", "https://appleid.apple.com"),
    limits: limitTable(env),
  };
}

/** The settings that change a limit, with the figure each replaces: one for each entry of the contract's tables. */
export function limitSettings(): { name: string; path: string[]; default: number }[] {
  const found: { name: string; path: string[]; default: number }[] = [];
  const walk = (node: unknown, path: string[]) => {
    if (typeof node === "number") {
      found.push({ name: `LIMIT_${path.map(upperSnake).join("_")}`, path, default: node });
      return;
    }
    for (const [key, value] of Object.entries(node as object)) walk(value, [...path, key]);
  };
  walk(defaultLimits, []);
  return found;
}

function limitTable(env: Environment): LimitTable {
  const table = structuredClone(defaultLimits);
  for (const setting of limitSettings()) {
    const value = whole(env, setting.name, setting.default, 0, 1_000_000_000);
    const [last, ...way] = setting.path.toReversed();
    const home = way.toReversed().reduce((node, key) => node[key] as Tree, table as unknown as Tree);
    home[String(last)] = value;
  }
  return table;
}

interface Tree {
  [key: string]: Tree | number;
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

function whole(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const given = env[name];
  if (given === undefined || given === "") return fallback;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${given}".`);
}

function webAddress(env: Environment, name: string): string | null {
  const given = env[name];
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return given.replace(/\/+$/, "");
  throw new ConfigError(`${name} must be an http or https address without query, not "${given}".`);
}

function oneOf(env: Environment, name: string, fallback: string, words: string[]): string {
  const given = env[name] || fallback;
  if (words.includes(given)) return given;
  throw new ConfigError(`${name} must be one of ${words.join(", ")}, not "${given}".`);
}

function directory(given: string): string {
  return isAbsolute(given) ? given : resolve(given);
}

function provider(env: Environment, name: "GOOGLE" | "APPLE", issuer: string): ProviderConfig | null {
  const clientIds = (env[`${name}_CLIENT_ID`] ?? "").split(",").map((id) => id.trim());
  const known = clientIds.filter(Boolean);
  if (known.length === 0) return null;
  return { clientIds: known, issuer: webAddress(env, `${name}_ISSUER`) ?? issuer };
}

function refuseForeignDatabase(env: Environment): void {
  if (!env.DATABASE_URL) return;
  throw new ConfigError(
    "DATABASE_URL is set, but this version keeps its data in SQLite under DATA_DIR only.",
  );
}
