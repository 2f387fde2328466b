import { createECDH } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { defaultLimits, type LimitTable } from "@tandem/contract/tiers";
import { isRange } from "./outgoing/public-address.ts";
import { hotLikes, limitSettings, logLevels, type SettingName, settings } from "./settings.ts";

export { limitSettings };

/** A sign-in provider, and the client ids that its tokens must be issued for. */
export interface ProviderConfig {
  clientIds: string[];
  issuer: string;
}

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

export interface MailConfig {
  /** The mail server, credentials included. */
  url: string;
  /** The sender of emails. */
  from: string;
}

export interface S3Config {
  bucket: string;
  /** The prefix of all names: empty, or with a trailing slash. */
  prefix: string;
  /** Null for AWS's own. */
  endpoint: string | null;
  region: string;
}

/** A streaming server that reports live streams through hooks. */
export interface StreamingConfig {
  /** The URL that streams are sent to. */
  ingestUrl: string;
  /** Authenticates its hooks. */
  hookSecret: string;
}

export interface Config {
  port: number;
  host: string;
  /** The number of server processes on this machine. */
  workers: number;
  /** The public URL without a trailing slash; null for `http://HOST:PORT`, once the port is known. */
  baseUrl: string | null;
  dataDir: string;
  /** PostgreSQL; null for SQLite. */
  database: DatabaseConfig | null;
  /** A bucket for media; null for the data directory. */
  media: S3Config | null;
  /** The mail server; null if not configured, false if turned off. */
  mail: MailConfig | false | null;
  /** Milliseconds without progress until an upload is aborted. */
  uploadTimeout: number;
  /** The most event streams per process. */
  streams: number;
  /** The number of proxies that are trusted for the client's address. */
  trustProxy: number;
  liveUrl: string | null;
  /** Null without a streaming server; accounts then list themselves as live. */
  streaming: StreamingConfig | null;
  /** Non-public IP ranges that outgoing requests may connect to. */
  outgoingAllow: string[];
  /** The number of sources polled concurrently. */
  sourceConcurrency: number;
  /** Milliseconds between two requests to a host. */
  sourceSpacing: number;
  /** Whether to fetch previews of linked pages. */
  linkCards: boolean;
  /** Whose likes count in the hot ranking. */
  hotLikes: (typeof hotLikes)[number];
  /** Milliseconds to keep the activity log of agents and keys. */
  activityRetention: number;
  logLevel: string;
  google: ProviderConfig | null;
  apple: ProviderConfig | null;
  /** A URL (mailto:, https: or tel:) for vulnerability reports. */
  securityContact: string | null;
  /** The VAPID private key (P-256, in base64url); null for the generated one in the database. */
  pushKey: string | null;
  limits: LimitTable;
  /** All settings with their values for admins; secrets are masked. */
  shown: { name: string; value: string | null }[];
}

/** Milliseconds. */
const DAY = 86_400_000;

export type Environment = Record<string, string | undefined>;

/** An invalid setting. The message is one sentence that names it. */
export class ConfigError extends Error {}

/** Reads the settings from the environment. Throws {@link ConfigError}. */
export function readConfig(env: Environment): Config {
  rejectUnknownLimits(env);
  return {
    port: whole(env, "PORT", defaultOf("PORT"), 0, 65_535),
    host: textOf(env, "HOST"),
    workers: whole(env, "WORKERS", defaultOf("WORKERS"), 1, 1000),
    baseUrl: origin(env, "BASE_URL"),
    dataDir: directory(textOf(env, "DATA_DIR")),
    database: database(env),
    media: bucket(env),
    mail: mail(env),
    uploadTimeout: whole(env, "UPLOAD_TIMEOUT", defaultOf("UPLOAD_TIMEOUT"), 1, 3600) * 1000,
    streams: whole(env, "STREAMS", defaultOf("STREAMS"), 0, 1_000_000),
    sourceConcurrency: whole(env, "SOURCES_AT_ONCE", defaultOf("SOURCES_AT_ONCE"), 1, 1000),
    sourceSpacing: whole(env, "SOURCES_SPACING", defaultOf("SOURCES_SPACING"), 0, 3_600_000),
    trustProxy: whole(env, "TRUST_PROXY", defaultOf("TRUST_PROXY"), 0, 100),
    liveUrl: webAddress(env, "LIVE_URL"),
    streaming: streaming(env),
    outgoingAllow: ranges(env, "OUTGOING_ALLOW"),
    linkCards: whole(env, "LINK_CARDS", defaultOf("LINK_CARDS"), 0, 1) === 1,
    hotLikes: oneOf(env, "HOT_LIKES", hotLikes),
    activityRetention: whole(env, "ACTIVITY_DAYS", defaultOf("ACTIVITY_DAYS"), 1, 36_500) * DAY,
    logLevel: oneOf(env, "LOG_LEVEL", logLevels),
    google: provider(env, "GOOGLE_CLIENT_ID", "GOOGLE_ISSUER"),
    apple: provider(env, "APPLE_CLIENT_ID", "APPLE_ISSUER"),
    securityContact: contact(env, "SECURITY_CONTACT"),
    pushKey: pushKey(env),
    limits: limitTable(env),
    shown: shownOf(env),
  };
}

const HIDDEN = "…";

function shownOf(env: Environment): Config["shown"] {
  const all = [...Object.entries(settings), ...limitSettings().map((one) => [one.name, one] as const)];
  return all.map(([name, { default: fallback }]) => {
    const value = env[name] || (fallback === null ? null : String(fallback));
    return { name, value: value === null ? null : withoutSecrets(name, value) };
  });
}

/** Masks settings named after a secret, and passwords in URLs: before the host or in the query. */
function withoutSecrets(name: string, value: string): string {
  if (/SECRET|PASSWORD|PRIVATE|TOKEN/.test(name)) return HIDDEN;
  return value
    .replace(/(:\/\/[^\s/@:]*:)[^\s/]*(?=@)/g, `$1${HIDDEN}`)
    .replace(/([?&][^=&\s]*(?:password|secret|key|token)[^=&\s]*=)[^&\s,]*/gi, `$1${HIDDEN}`);
}

function limitTable(env: Environment): LimitTable {
  const table = structuredClone(defaultLimits);
  for (const setting of limitSettings()) {
    const value = whole(env, setting.name, String(setting.default), 0, 1_000_000_000);
    const [last, ...way] = setting.path.toReversed();
    const home = way.toReversed().reduce((node, key) => node[key] as Tree, table as unknown as Tree);
    home[String(last)] = value;
  }
  return table;
}

interface Tree {
  [key: string]: Tree | number;
}

/** A setting's default; empty if it has none. */
function defaultOf(name: SettingName): string {
  return settings[name].default ?? "";
}

/** A setting's value or default. An empty setting counts as unset. */
function textOf(env: Environment, name: SettingName): string {
  return env[name] || defaultOf(name);
}

function whole(env: Environment, name: string, fallback: string, min: number, max: number): number {
  const given = env[name] || fallback;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${given}".`);
}

/** A URL without a path, because the service's own paths start at the root. */
function origin(env: Environment, name: SettingName): string | null {
  const given = webAddress(env, name);
  if (given === null || new URL(given).pathname === "/") return given;
  throw new ConfigError(`${name} must be a URL without a path, not "${given}".`);
}

function webAddress(env: Environment, name: SettingName): string | null {
  const given = textOf(env, name);
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return given.replace(/\/+$/, "");
  throw new ConfigError(`${name} must be an http or https URL without a query, not "${given}".`);
}

function oneOf<Word extends string>(env: Environment, name: SettingName, words: readonly Word[]): Word {
  const given = textOf(env, name);
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  throw new ConfigError(`${name} must be one of ${words.join(", ")}, not "${given}".`);
}

function directory(given: string): string {
  return isAbsolute(given) ? given : resolve(given);
}

function provider(env: Environment, clients: SettingName, issuer: SettingName): ProviderConfig | null {
  const address = webAddress(env, issuer);
  const clientIds = listed(textOf(env, clients));
  return clientIds.length === 0 || address === null ? null : { clientIds, issuer: address };
}

function contact(env: Environment, name: SettingName): string | null {
  const given = textOf(env, name);
  if (!given) return null;
  const address = /^[^\s:@]+@[^\s:@]+$/.test(given) ? `mailto:${given}` : given;
  if (/^(mailto:|https:\/\/|tel:)[!-~]+$/.test(address)) return address;
  throw new ConfigError(`${name} must be an email address or a URL with https:, mailto: or tel:.`);
}

function database(env: Environment): DatabaseConfig | null {
  const url = textOf(env, "DATABASE_URL");
  const connections = whole(env, "DATABASE_CONNECTIONS", defaultOf("DATABASE_CONNECTIONS"), 1, 1000);
  const prepares = whole(env, "DATABASE_PREPARES", defaultOf("DATABASE_PREPARES"), 0, 1) === 1;
  const replicas = listed(textOf(env, "DATABASE_REPLICA_URL"));
  if (!url && replicas.length > 0)
    throw new ConfigError("DATABASE_REPLICA_URL requires DATABASE_URL, the primary's URL.");
  const timeout = whole(env, "DATABASE_TIMEOUT", defaultOf("DATABASE_TIMEOUT"), 1, 3600) * 1000;
  if (!url) return null;
  requirePostgres("DATABASE_URL", url);
  for (const replica of replicas) requirePostgres("DATABASE_REPLICA_URL", replica);
  return { url, replicas, connections, prepares, timeout };
}

function requirePostgres(name: SettingName, url: string): void {
  // The message doesn't repeat the URL, because it may contain a password.
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new ConfigError(`${name} must be a URL such as postgres://user:password@host/database.`);
}

function bucket(env: Environment): S3Config | null {
  const given = textOf(env, "MEDIA_URL");
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  const endpoint = url?.searchParams.get("endpoint") ?? null;
  const fine = endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol));
  if (url?.protocol !== "s3:" || !url.hostname || url.username || url.port || !fine)
    throw new ConfigError("MEDIA_URL must be a URL such as s3://bucket/prefix?region=eu-central-1.");
  const path = url.pathname.replace(/^\/+|\/+$/g, "");
  return {
    bucket: url.hostname,
    prefix: path && `${path}/`,
    endpoint,
    region: url.searchParams.get("region") ?? "us-east-1",
  };
}

function mail(env: Environment): Config["mail"] {
  const url = textOf(env, "MAIL_URL");
  const from = textOf(env, "MAIL_FROM");
  if (from && !/^([^<>"\p{Cc}]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(from))
    throw new ConfigError(
      "MAIL_FROM must be an address such as post@example.org or Tandem <post@example.org>.",
    );
  if (!url || url === "off") return url ? false : null;
  // The message doesn't repeat the URL, because it may contain a password.
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || !new URL(url).hostname)
    throw new ConfigError("MAIL_URL must be a URL such as smtp://user:password@host:587, or off.");
  if (!from) throw new ConfigError("MAIL_URL requires MAIL_FROM, the sender of emails.");
  return { url, from };
}

function streaming(env: Environment): StreamingConfig | null {
  const ingestUrl = textOf(env, "LIVE_INGEST_URL").replace(/\/+$/, "");
  const hookSecret = textOf(env, "LIVE_HOOK_SECRET");
  if (!ingestUrl && !hookSecret) return null;
  if (!/^rtmps?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(ingestUrl) || !URL.canParse(ingestUrl))
    throw new ConfigError("LIVE_INGEST_URL must be a URL such as rtmp://live.example.org/live.");
  // The message doesn't repeat the secret: it may be off by one character.
  if (!/^[\w-]{16,200}$/.test(hookSecret))
    throw new ConfigError("LIVE_HOOK_SECRET must be 16 to 200 letters, digits, - and _.");
  return { ingestUrl, hookSecret };
}

function pushKey(env: Environment): string | null {
  const given = textOf(env, "VAPID_PRIVATE_KEY");
  if (!given) return null;
  try {
    if (!/^[\w-]{43}$/.test(given)) throw new Error("wrong length");
    createECDH("prime256v1").setPrivateKey(given, "base64url");
    return given;
  } catch {
    // The message doesn't repeat the key: it may be off by one character.
    throw new ConfigError("VAPID_PRIVATE_KEY must be a P-256 private key: 32 bytes in base64url.");
  }
}

function ranges(env: Environment, name: SettingName): string[] {
  const given = listed(textOf(env, name));
  const wrong = given.find((one) => !isRange(one));
  if (wrong === undefined) return given;
  throw new ConfigError(`${name} must be IP ranges such as 10.1.0.0/16 or fd00::/8, not "${wrong}".`);
}

function listed(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** Rejects misspelled limits, which would otherwise be ignored. */
function rejectUnknownLimits(env: Environment): void {
  const known = new Set(limitSettings().map((setting) => setting.name));
  const unknown = Object.keys(env).find((name) => name.startsWith("LIMIT_") && !known.has(name));
  if (unknown)
    throw new ConfigError(`${unknown} isn't a known limit. All limits are listed in .env.example.`);
}
