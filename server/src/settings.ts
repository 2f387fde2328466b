import { defaultLimits, type holding, type Quota, quotas, type Throttle } from "@tandem/contract/tiers";

export interface Setting {
  /** As one would write it; null where there is none. */
  default: string | null;
  /** One sentence for operators. */
  description: string;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Whose likes count for the rank of a post. */
export const hotLikes = ["all", "people"] as const;

/** Every setting of the service but those that change a limit. */
export const settings = {
  PORT: { default: "3000", description: "The port to listen on; 0 takes any that is free." },
  HOST: { default: "127.0.0.1", description: "The address to listen on; 0.0.0.0 or :: for all of them." },
  WORKERS: { default: "1", description: "How many processes serve, all on the one port." },
  BASE_URL: {
    default: null,
    description:
      "Where the world reaches the service: `http://HOST:PORT` unless given. With https, cookies are `Secure`.",
  },
  DATA_DIR: {
    default: "./data",
    description:
      "The directory that holds the database, where that is SQLite, media, unless `MEDIA_URL` says where, and uploads on their way.",
  },
  DATABASE_URL: {
    default: null,
    description:
      "A PostgreSQL database, such as `postgres://user:password@host/database`, instead of SQLite.",
  },
  DATABASE_REPLICA_URL: {
    default: null,
    description:
      "Streaming replicas of that database, comma-separated, which feeds and searches are then read from.",
  },
  DATABASE_CONNECTIONS: {
    default: "10",
    description: "How many connections a process opens at most, to PostgreSQL and to each replica.",
  },
  DATABASE_PREPARES: {
    default: "1",
    description: "Whether statements are prepared under names; 0 behind PgBouncer before 1.21.",
  },
  DATABASE_TIMEOUT: {
    default: "10",
    description:
      "Seconds that a statement may take before PostgreSQL counts as away and its connection is given up.",
  },
  MEDIA_URL: {
    default: null,
    description:
      "Any store that speaks S3, such as `s3://bucket/prefix?region=eu-central-1`, with `&endpoint=https://…` unless it is AWS's, instead of `DATA_DIR/media`; credentials as AWS's tools take them.",
  },
  MAIL_URL: {
    default: null,
    description:
      "The server that mails go out by, such as `smtps://user:password@host`, or `smtp://…`; `off` for no mail at all. Unless given, mails are shown in the log where `HOST` and `BASE_URL` are this machine's own, and nowhere else.",
  },
  MAIL_FROM: {
    default: null,
    description: "Whom mails are from, such as `Tandem <post@example.org>`; needed with `MAIL_URL`.",
  },
  UPLOAD_TIMEOUT: {
    default: "30",
    description: "Seconds that an upload may stand still before its connection is closed.",
  },
  STREAMS: {
    default: "10000",
    description:
      "How many streams of events a process keeps open at most; each takes a file handle (`ulimit -n`).",
  },
  SOURCES_AT_ONCE: {
    default: "32",
    description: "How many sources are asked at a time for what is new.",
  },
  SOURCES_SPACING: {
    default: "1000",
    description: "Milliseconds from one request to a source's host to the next.",
  },
  TRUST_PROXY: {
    default: "0",
    description:
      "How many reverse proxies stand in front, each believed about the address a request came from.",
  },
  LIVE_URL: {
    default: null,
    description: "Where a streaming server plays broadcasts: `BASE_URL/live` unless given.",
  },
  LIVE_INGEST_URL: {
    default: null,
    description:
      "Where that server takes streams, such as `rtmp://live.example.org/live`: then an entry is listed while its stream runs. `LIVE_HOOK_SECRET` must be set too.",
  },
  LIVE_HOOK_SECRET: {
    default: null,
    description: "What the streaming server says to be believed: 16 to 200 letters, digits, `-` and `_`.",
  },
  OUTGOING_ALLOW: {
    default: null,
    description:
      "Ranges of addresses, comma-separated, such as `10.1.0.0/16`, that sources, links and sign-in providers may lead to although they aren't of the public internet.",
  },
  LINK_CARDS: {
    default: "1",
    description:
      "Whether pages that posts link to are asked for a title and a picture; 0 where nothing is to be asked of others.",
  },
  HOT_LIKES: {
    default: "all",
    description: "Whose likes make a post hot: `all`, or those of `people` alone, without keys and agents.",
  },
  ACTIVITY_DAYS: {
    default: "90",
    description: "Days for which it is kept what agents and keys did, for the people who answer for them.",
  },
  LOG_LEVEL: {
    default: "info",
    description: `The least grave that is logged, of ${logLevels.join(", ")}.`,
  },
  GOOGLE_CLIENT_ID: {
    default: null,
    description:
      "Client ids, comma-separated, that Google's ID tokens are accepted for, the web app's first; without one that sign-in is off.",
  },
  GOOGLE_ISSUER: { default: "https://accounts.google.com", description: "Who issues Google's ID tokens." },
  APPLE_CLIENT_ID: {
    default: null,
    description:
      "Client ids, comma-separated, that Apple's ID tokens are accepted for, the web app's first; without one that sign-in is off.",
  },
  APPLE_ISSUER: { default: "https://appleid.apple.com", description: "Who issues Apple's ID tokens." },
  VAPID_PRIVATE_KEY: {
    default: null,
    description:
      "By which push services know this service: a private key of P-256, 32 bytes in base64url. Unless given, one is made and kept in the database. With another, browsers must be subscribed anew.",
  },
  SECURITY_CONTACT: {
    default: null,
    description:
      "Whom to tell of a weakness: an email address, or a `https:`, `mailto:` or `tel:` one; without it there is no `/.well-known/security.txt`.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export interface LimitSetting {
  name: string;
  /** Where its figure stands in the contract's tables. */
  path: string[];
  default: number;
  description: string;
}

/** The settings that change a limit, with the figure each replaces: one for each entry of the contract's tables. */
export function limitSettings(): LimitSetting[] {
  return figuresIn(defaultLimits, []).map(([path, figure]) => ({
    name: `LIMIT_${path.map(upperSnake).join("_")}`,
    path,
    default: figure,
    description: saysOf(path),
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
  loginPerAccountAndAddress: "failed log-ins to one account from one address",
  loginPerAccount: "failed log-ins to one account from all addresses together",
  loginPerAddress: "failed log-ins from one address",
  signupPerAddress: "sign-ups, good or failed, from one address",
  sameTextPerAccount: "posts of one account with the same words, or comments of it",
  noncePerAddress: "sign-ins through a provider begun from one address",
  strangerMessagesPerAccount:
    "messages of one account to those who have neither answered it nor are its friends",
  friendRequestsPerAccount: "friend requests of one account",
  passwordPerAccount: "wrong passwords given in the sessions of one account",
  secondFactorPerAccount: "wrong codes for one account",
  mailPerAccount: "mails asked for about one account or to one address",
  mailPerAddress: "mails asked for from one address",
  noticePerRecipient: "mails that nobody asked for, such as of a new password, to one address",
  tokenPerAddress: "wrong links followed from one address",
  exportPerAccount: "exports of one account begun",
  reportsPerAccount: "reports of one account",
};

const held: Record<keyof typeof holding, string> = {
  reports: "How many people must report a post or a comment for it to be held back.",
  seconds: "Within how many seconds they must.",
  accountDays: "How many days old an account must be for its reports to count towards that.",
};

function saysOf([table, row, figure]: string[]): string {
  switch (table) {
    case "tiers": {
      const { counts, seconds } = quotas[figure as Quota];
      return `For a key of the tier ${row}: ${counts}, in ${seconds === 60 ? "a minute" : "a day"}.`;
    }
    case "graduation":
      return figure === "days"
        ? `Days before a key can rise to ${row}.`
        : `Accepted writes before a key can rise to ${row}.`;
    case "throttles": {
      const what = throttled[row as Throttle];
      return figure === "seconds" ? `The window, in seconds, for ${what}.` : `How many ${what} in a window.`;
    }
    case "holding":
      return held[row as keyof typeof holding];
    default:
      return "Writes a minute in the sessions of one account.";
  }
}
