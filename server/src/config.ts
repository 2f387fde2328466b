import { createECDH } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { defaultLimits, type LimitTable } from "@tandem/contract/tiers";
import { isRange } from "./outgoing/public-address.ts";
import { hotLikes, limitSettings, logLevels, type SettingName, settings } from "./settings.ts";

export { limitSettings };

/** A provider of identities, and the client id that its tokens must be made out to. */
export interface ProviderConfig {
  clientIds: string[];
  issuer: string;
}

export interface DatabaseConfig {
  url: string;
  /** Streaming replicas, for reads that may be a moment old. */
  replicas: string[];
  /** Connections at most, to each of these, for each process. */
  connections: number;
  /** Whether statements may be prepared under names. */
  prepares: boolean;
  /** Milliseconds that a statement may take before its connection is given up. */
  timeout: number;
}

export interface MailConfig {
  /** The mail server, credentials included. */
  url: string;
  /** Whom mails are from. */
  from: string;
}

export interface S3Config {
  bucket: string;
  /** What all names begin with: empty, or with a slash at the end. */
  prefix: string;
  /** Null for AWS's own. */
  endpoint: string | null;
  region: string;
}

/** A streaming server that tells who is on air. */
export interface StreamingConfig {
  /** Where streams are sent to. */
  ingestUrl: string;
  /** What it says to be believed. */
  hookSecret: string;
}

export interface Config {
  port: number;
  host: string;
  /** How many processes serve, on this machine. */
  workers: number;
  /** Where the world reaches the service, without a slash at the end; null until the port is known. */
  baseUrl: string | null;
  dataDir: string;
  /** PostgreSQL, where it is to be used. */
  database: DatabaseConfig | null;
  /** A bucket for media, where they aren't to lie in the data directory. */
  media: S3Config | null;
  /** How mail is sent; null where nothing is set, and false where none is wanted. */
  mail: MailConfig | false | null;
  /** Milliseconds that an upload may stand still. */
  uploadPatience: number;
  /** How many event streams a process keeps open. */
  streams: number;
  /** How many proxies before us may be believed about the caller's address. */
  trustProxy: number;
  liveUrl: string | null;
  /** Null where nobody takes streams, and who is live says so. */
  streaming: StreamingConfig | null;
  /** Ranges of addresses that may be asked though they aren't public. */
  outgoingAllow: string[];
  /** How many sources are asked at a time, and the milliseconds between two requests to one host. */
  sourcesAtOnce: number;
  sourceSpacing: number;
  /** Whether what posts link to is asked what it says of itself. */
  linkCards: boolean;
  /** Whether every like counts for the rank of a post, or people's alone. */
  hotLikes: (typeof hotLikes)[number];
  /** Milliseconds for which it is kept what agents and keys did. */
  activityKept: number;
  logLevel: string;
  google: ProviderConfig | null;
  apple: ProviderConfig | null;
  /** An address (mailto:, https: or tel:) for whoever found a weakness. */
  securityContact: string | null;
  /** By which push services know the service (P-256, in base64url); null for the one that the database keeps. */
  pushKey: string | null;
  limits: LimitTable;
  /** Every setting as it was written or by default, secrets hidden: for admins to see. */
  shown: { name: string; value: string | null }[];
}

/** Milliseconds. */
const DAY = 86_400_000;

export type Environment = Record<string, string | undefined>;

/** A setting that can't be meant so. Its message is one sentence that names the setting. */
export class ConfigError extends Error {}

/** Reads the environment; every setting has a default. Throws {@link ConfigError}. */
export function readConfig(env: Environment): Config {
  refuseUnknownLimits(env);
  return {
    port: whole(env, "PORT", defaultOf("PORT"), 0, 65_535),
    host: textOf(env, "HOST"),
    workers: whole(env, "WORKERS", defaultOf("WORKERS"), 1, 1000),
    baseUrl: origin(env, "BASE_URL"),
    dataDir: directory(textOf(env, "DATA_DIR")),
    database: database(env),
    media: bucket(env),
    mail: mail(env),
    uploadPatience: whole(env, "UPLOAD_TIMEOUT", defaultOf("UPLOAD_TIMEOUT"), 1, 3600) * 1000,
    streams: whole(env, "STREAMS", defaultOf("STREAMS"), 0, 1_000_000),
    sourcesAtOnce: whole(env, "SOURCES_AT_ONCE", defaultOf("SOURCES_AT_ONCE"), 1, 1000),
    sourceSpacing: whole(env, "SOURCES_SPACING", defaultOf("SOURCES_SPACING"), 0, 3_600_000),
    trustProxy: whole(env, "TRUST_PROXY", defaultOf("TRUST_PROXY"), 0, 100),
    liveUrl: webAddress(env, "LIVE_URL"),
    streaming: streaming(env),
    outgoingAllow: ranges(env, "OUTGOING_ALLOW"),
    linkCards: whole(env, "LINK_CARDS", defaultOf("LINK_CARDS"), 0, 1) === 1,
    hotLikes: oneOf(env, "HOT_LIKES", hotLikes),
    activityKept: whole(env, "ACTIVITY_DAYS", defaultOf("ACTIVITY_DAYS"), 1, 36_500) * DAY,
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

/** Addresses may hold a password, with a name or in their query; what is named after a secret is one. */
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

/** A setting's own default; empty for those that have none. */
function defaultOf(name: SettingName): string {
  return settings[name].default ?? "";
}

/** What is set; a setting that is empty is as good as none. */
function textOf(env: Environment, name: SettingName): string {
  return env[name] || defaultOf(name);
}

function whole(env: Environment, name: string, fallback: string, min: number, max: number): number {
  const given = env[name] || fallback;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${given}".`);
}

/** The service's paths begin at the root, and so must its address. */
function origin(env: Environment, name: SettingName): string | null {
  const given = webAddress(env, name);
  if (given === null || new URL(given).pathname === "/") return given;
  throw new ConfigError(`${name} must be an address without a path, not "${given}".`);
}

function webAddress(env: Environment, name: SettingName): string | null {
  const given = textOf(env, name);
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return given.replace(/\/+$/, "");
  throw new ConfigError(`${name} must be an http or https address without query, not "${given}".`);
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
  throw new ConfigError(`${name} must be an email address, or begin with https:, mailto: or tel:.`);
}

function database(env: Environment): DatabaseConfig | null {
  const url = textOf(env, "DATABASE_URL");
  const connections = whole(env, "DATABASE_CONNECTIONS", defaultOf("DATABASE_CONNECTIONS"), 1, 1000);
  const prepares = whole(env, "DATABASE_PREPARES", defaultOf("DATABASE_PREPARES"), 0, 1) === 1;
  const replicas = listed(textOf(env, "DATABASE_REPLICA_URL"));
  if (!url && replicas.length > 0)
    throw new ConfigError("DATABASE_REPLICA_URL needs a DATABASE_URL, whose replica it names.");
  const timeout = whole(env, "DATABASE_TIMEOUT", defaultOf("DATABASE_TIMEOUT"), 1, 3600) * 1000;
  if (!url) return null;
  requirePostgres("DATABASE_URL", url);
  for (const replica of replicas) requirePostgres("DATABASE_REPLICA_URL", replica);
  return { url, replicas, connections, prepares, timeout };
}

function requirePostgres(name: SettingName, url: string): void {
  // The URL may hold a password, so it isn't repeated.
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new ConfigError(`${name} must be an address such as postgres://user:password@host/database.`);
}

function bucket(env: Environment): S3Config | null {
  const given = textOf(env, "MEDIA_URL");
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  const endpoint = url?.searchParams.get("endpoint") ?? null;
  const fine = endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol));
  if (url?.protocol !== "s3:" || !url.hostname || url.username || url.port || !fine)
    throw new ConfigError("MEDIA_URL must be an address such as s3://bucket/prefix?region=eu-central-1.");
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
  // The URL may hold a password, so it isn't repeated.
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || !new URL(url).hostname)
    throw new ConfigError("MAIL_URL must be an address such as smtp://user:password@host:587, or off.");
  if (!from) throw new ConfigError("MAIL_URL needs a MAIL_FROM: the address that mails come from.");
  return { url, from };
}

function streaming(env: Environment): StreamingConfig | null {
  const ingestUrl = textOf(env, "LIVE_INGEST_URL").replace(/\/+$/, "");
  const hookSecret = textOf(env, "LIVE_HOOK_SECRET");
  if (!ingestUrl && !hookSecret) return null;
  if (!/^rtmps?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(ingestUrl) || !URL.canParse(ingestUrl))
    throw new ConfigError("LIVE_INGEST_URL must be an address such as rtmp://live.example.org/live.");
  // It isn't repeated: what is wrong with it may be one letter.
  if (!/^[\w-]{16,200}$/.test(hookSecret))
    throw new ConfigError("LIVE_HOOK_SECRET must be 16 to 200 letters, digits, - and _.");
  return { ingestUrl, hookSecret };
}

function pushKey(env: Environment): string | null {
  const given = textOf(env, "VAPID_PRIVATE_KEY");
  if (!given) return null;
  try {
    if (!/^[\w-]{43}$/.test(given)) throw new Error("it has another length");
    createECDH("prime256v1").setPrivateKey(given, "base64url");
    return given;
  } catch {
    // It isn't repeated: what is wrong with it may be one letter.
    throw new ConfigError("VAPID_PRIVATE_KEY must be a private key of P-256: 32 bytes in base64url.");
  }
}

function ranges(env: Environment, name: SettingName): string[] {
  const given = listed(textOf(env, name));
  const wrong = given.find((one) => !isRange(one));
  if (wrong === undefined) return given;
  throw new ConfigError(
    `${name} must be ranges of addresses such as 10.1.0.0/16 or fd00::/8, not "${wrong}".`,
  );
}

function listed(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** A limit that was misspelt would silently not hold. */
function refuseUnknownLimits(env: Environment): void {
  const known = new Set(limitSettings().map((setting) => setting.name));
  const unknown = Object.keys(env).find((name) => name.startsWith("LIMIT_") && !known.has(name));
  if (unknown) throw new ConfigError(`${unknown} is no limit that can be set: .env.example names them all.`);
}
