import type { TracingOptions } from "../tracing/options.ts";
import { ConfigError, commaSeparated, type Parser } from "./parsers.ts";

export interface DatabaseConfig {
  url: string;
  /** Streaming replicas, for reads that may lag behind a little. */
  replicas: string[];
  /** The most connections of each process to each of these servers. */
  connections: number;
  /** Whether to use named prepared statements. */
  prepares: boolean;
  /** Milliseconds until a statement times out. */
  timeout: number;
}

export const postgresUrls: Parser<string[]> = (given, name) => {
  const urls = commaSeparated(given, name);
  for (const url of urls) postgresUrl(url, name);
  return urls;
};

export const postgresUrl: Parser<string> = (given, name) => {
  if (!given || (URL.canParse(given) && /^postgres(ql)?:$/.test(new URL(given).protocol))) return given;
  // The message doesn't repeat the URL, because it may contain a password.
  throw new ConfigError(`${name} must be a URL such as postgres://user:password@host/database.`);
};

/** PostgreSQL; null for SQLite. */
export function database(config: DatabaseConfig): DatabaseConfig | null {
  if (!config.url && config.replicas.length > 0)
    throw new ConfigError("DATABASE_REPLICA_URL requires DATABASE_URL, the primary's URL.");
  return config.url ? config : null;
}

export interface S3Config {
  bucket: string;
  /** The prefix of all names: empty, or with a trailing slash. */
  prefix: string;
  /** Null for AWS's own. */
  endpoint: string | null;
  region: string;
}

export const s3Url: Parser<S3Config | null> = (given, name) => {
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  const endpoint = url?.searchParams.get("endpoint") ?? null;
  const valid = endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol));
  if (url?.protocol !== "s3:" || !url.hostname || url.username || url.port || !valid)
    throw new ConfigError(`${name} must be a URL such as s3://bucket/prefix?region=eu-central-1.`);
  const path = url.pathname.replace(/^\/+|\/+$/g, "");
  const region = url.searchParams.get("region") ?? "us-east-1";
  return { bucket: url.hostname, prefix: path && `${path}/`, endpoint, region };
};

export interface MailConfig {
  /** The mail server, credentials included. */
  url: string;
  /** The sender of emails. */
  from: string;
}

/** False for `off`. */
export const smtpUrl: Parser<string | false> = (given, name) => {
  if (!given || given === "off") return given === "off" ? false : "";
  // The message doesn't repeat the URL, because it may contain a password.
  if (!URL.canParse(given) || !/^smtps?:$/.test(new URL(given).protocol) || !new URL(given).hostname)
    throw new ConfigError(`${name} must be a URL such as smtp://user:password@host:587, or off.`);
  return given;
};

export const sender: Parser<string> = (given, name) => {
  if (!given || /^([^<>"\p{Cc}]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(given)) return given;
  throw new ConfigError(`${name} must be an address such as post@example.org or Tandem <post@example.org>.`);
};

/** The mail server; null if not configured, false if turned off. */
export function mail({ url, from }: { url: string | false; from: string }): MailConfig | false | null {
  if (!url) return url === false ? false : null;
  if (!from) throw new ConfigError("MAIL_URL requires MAIL_FROM, the sender of emails.");
  return { url, from };
}

/** A streaming server that reports live streams through hooks. */
export interface StreamingConfig {
  /** The URL that streams are sent to. */
  ingestUrl: string;
  /** Authenticates its hooks. */
  hookSecret: string;
}

/** Null without a streaming server; accounts then list themselves as live. */
export function streaming(given: StreamingConfig): StreamingConfig | null {
  const { hookSecret } = given;
  const ingestUrl = given.ingestUrl.replace(/\/+$/, "");
  if (!ingestUrl && !hookSecret) return null;
  if (!/^rtmps?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(ingestUrl) || !URL.canParse(ingestUrl))
    throw new ConfigError("LIVE_INGEST_URL must be a URL such as rtmp://live.example.org/live.");
  // The message doesn't repeat the secret: it may be off by one character.
  if (!/^[\w-]{16,200}$/.test(hookSecret))
    throw new ConfigError("LIVE_HOOK_SECRET must be 16 to 200 letters, digits, - and _.");
  return { ingestUrl, hookSecret };
}

/** Null without a collector. */
export function tracing({
  endpoint,
  ...options
}: Omit<TracingOptions, "endpoint"> & { endpoint: string | null }): TracingOptions | null {
  return endpoint === null ? null : { endpoint, ...options };
}

/** A sign-in provider, and the client ids that its tokens must be issued for. */
export interface ProviderConfig {
  clientIds: string[];
  issuer: string;
}

export function provider({
  clientIds,
  issuer,
}: {
  clientIds: string[];
  issuer: string | null;
}): ProviderConfig | null {
  return clientIds.length === 0 || issuer === null ? null : { clientIds, issuer };
}
