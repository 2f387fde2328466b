import { defaultLimits, type holding, type Quota, quotas, type Throttle } from "@tandem/contract/tiers";

export interface Setting {
  /** As written in the environment; null if there is none. */
  default: string | null;
  /** One sentence for operators. */
  description: string;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Whose likes count in the hot ranking. */
export const hotLikes = ["all", "people"] as const;

/** All settings except limits. */
export const settings = {
  PORT: { default: "3000", description: "The port to listen on; 0 picks a free one." },
  HOST: { default: "127.0.0.1", description: "The address to listen on; 0.0.0.0 or :: for all." },
  WORKERS: { default: "1", description: "The number of server processes, which share the port." },
  BASE_URL: {
    default: null,
    description: "The service's public URL; `http://HOST:PORT` by default. With https, cookies are `Secure`.",
  },
  DATA_DIR: {
    default: "./data",
    description:
      "The directory for the SQLite database, media (unless `MEDIA_URL` is set) and uploads in progress.",
  },
  DATABASE_URL: {
    default: null,
    description:
      "A PostgreSQL database to use instead of SQLite, such as `postgres://user:password@host/database`.",
  },
  DATABASE_REPLICA_URL: {
    default: null,
    description:
      "Streaming replicas of that database, comma-separated; feeds and searches are read from them.",
  },
  DATABASE_CONNECTIONS: {
    default: "10",
    description: "The most connections that each process opens to PostgreSQL, and to each replica.",
  },
  DATABASE_PREPARES: {
    default: "1",
    description: "Whether to use named prepared statements; set to 0 behind PgBouncer before 1.21.",
  },
  DATABASE_TIMEOUT: {
    default: "10",
    description:
      "Seconds until a statement times out; its connection is then closed and PostgreSQL counts as unavailable.",
  },
  MEDIA_URL: {
    default: null,
    description:
      "An S3-compatible store for media instead of `DATA_DIR/media`, such as `s3://bucket/prefix?region=eu-central-1`, with `&endpoint=https://…` unless it is AWS. Credentials come from the default AWS sources.",
  },
  MAIL_URL: {
    default: null,
    description:
      "The SMTP server, such as `smtps://user:password@host` or `smtp://…`; `off` for no email. If unset, emails are written to the log when `HOST` and `BASE_URL` are local, and otherwise not sent.",
  },
  MAIL_FROM: {
    default: null,
    description: "The sender of emails, such as `Tandem <post@example.org>`; required with `MAIL_URL`.",
  },
  UPLOAD_TIMEOUT: {
    default: "30",
    description: "Seconds without progress until an upload's connection is closed.",
  },
  STREAMS: {
    default: "10000",
    description:
      "The most event streams that each process keeps open; each uses a file handle (`ulimit -n`).",
  },
  SOURCES_AT_ONCE: {
    default: "32",
    description: "The number of sources that are polled concurrently.",
  },
  SOURCES_SPACING: {
    default: "1000",
    description: "The minimum of milliseconds between two requests to a source's host.",
  },
  TRUST_PROXY: {
    default: "0",
    description:
      "The number of reverse proxies in front of the service; they are trusted for the client's address.",
  },
  LIVE_URL: {
    default: null,
    description: "The base URL of live streams for playback; `BASE_URL/live` by default.",
  },
  LIVE_INGEST_URL: {
    default: null,
    description:
      "The streaming server's ingest URL, such as `rtmp://live.example.org/live`. If set, accounts are listed as live while their stream runs. Requires `LIVE_HOOK_SECRET`.",
  },
  LIVE_HOOK_SECRET: {
    default: null,
    description:
      "The secret that authenticates the streaming server's hooks: 16 to 200 letters, digits, `-` and `_`.",
  },
  OUTGOING_ALLOW: {
    default: null,
    description:
      "Non-public IP ranges that the service may connect to for sources, links and sign-in providers, comma-separated, such as `10.1.0.0/16`.",
  },
  LINK_CARDS: {
    default: "1",
    description: "Whether to fetch previews of linked pages; 0 turns these requests off.",
  },
  HOT_LIKES: {
    default: "all",
    description:
      "Whose likes count in the hot ranking: `all`, or only those of `people`, without keys and agents.",
  },
  ACTIVITY_DAYS: {
    default: "90",
    description: "Days to keep the activity log of agents and keys.",
  },
  LOG_LEVEL: {
    default: "info",
    description: `The minimum log level: ${logLevels.join(", ")}.`,
  },
  GOOGLE_CLIENT_ID: {
    default: null,
    description:
      "Client ids whose Google ID tokens are accepted, comma-separated, the web app's first; if unset, sign-in with Google is off.",
  },
  GOOGLE_ISSUER: { default: "https://accounts.google.com", description: "The issuer of Google's ID tokens." },
  APPLE_CLIENT_ID: {
    default: null,
    description:
      "Client ids whose Apple ID tokens are accepted, comma-separated, the web app's first; if unset, sign-in with Apple is off.",
  },
  APPLE_ISSUER: { default: "https://appleid.apple.com", description: "The issuer of Apple's ID tokens." },
  VAPID_PRIVATE_KEY: {
    default: null,
    description:
      "The VAPID key for browser push: a P-256 private key, 32 bytes in base64url. If unset, one is generated and stored in the database. After a change, browsers must subscribe again.",
  },
  SECURITY_CONTACT: {
    default: null,
    description:
      "The contact for vulnerability reports: an email address, or a `https:`, `mailto:` or `tel:` URL. If unset, there is no `/.well-known/security.txt`.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export interface LimitSetting {
  name: string;
  /** The path of its value in the contract's limit tables. */
  path: string[];
  default: number;
  description: string;
}

/** One setting for each value in the contract's limit tables, with that value as its default. */
export function limitSettings(): LimitSetting[] {
  return figuresIn(defaultLimits, []).map(([path, figure]) => ({
    name: `LIMIT_${path.map(upperSnake).join("_")}`,
    path,
    default: figure,
    description: describeLimit(path),
  }));
}

function figuresIn(node: unknown, path: string[]): [path: string[], figure: number][] {
  if (typeof node === "number") return [[path, node]];
  return Object.entries(node as object).flatMap(([key, value]) => figuresIn(value, [...path, key]));
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

const throttled: Record<Throttle, string> = {
  loginPerAccountAndAddress: "failed logins to an account from one IP address",
  loginPerAccount: "failed logins to an account from all IP addresses",
  loginPerAddress: "failed logins from an IP address",
  signupPerAddress: "sign-ups from an IP address, including failed ones",
  sameTextPerAccount: "posts with the same text by an account, and likewise comments",
  noncePerAddress: "started sign-ins through a provider from an IP address",
  strangerMessagesPerAccount: "messages of an account to people who haven't replied and aren't its friends",
  friendRequestsPerAccount: "friend requests by an account",
  passwordPerAccount: "wrong passwords entered in an account's sessions",
  secondFactorPerAccount: "wrong two-factor codes for an account",
  mailPerAccount: "requested emails for an account or to an email address",
  mailPerAddress: "requested emails from an IP address",
  noticePerRecipient: "unrequested emails to an email address, such as about a changed password",
  tokenPerAddress: "invalid links opened from an IP address",
  exportPerAccount: "data exports started by an account",
  reportsPerAccount: "reports by an account",
};

const autoHiding: Record<keyof typeof holding, string> = {
  reports: "The number of people whose reports hide a post or comment until a moderator decides.",
  seconds: "The window for these reports, in seconds.",
  accountDays: "The minimum age of an account, in days, for its reports to count towards that.",
};

function describeLimit([table, row, figure]: string[]): string {
  switch (table) {
    case "tiers": {
      const { counts, seconds } = quotas[figure as Quota];
      return `For keys of tier ${row}: ${counts} per ${seconds === 60 ? "minute" : "day"}.`;
    }
    case "graduation":
      return figure === "days"
        ? `Days until a key can rise to ${row}.`
        : `Accepted writes until a key can rise to ${row}.`;
    case "throttles": {
      const what = throttled[row as Throttle];
      return figure === "seconds" ? `The window, in seconds, for ${what}.` : `The most ${what} per window.`;
    }
    case "holding":
      return autoHiding[row as keyof typeof holding];
    default:
      return "Writes per minute in the sessions of an account.";
  }
}
