import { DAY, HOUR, SECOND } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { registrationModes } from "@tandem/contract/registration-modes";
import { samplerNames } from "../tracing/options.ts";
import {
  database,
  mail,
  postgresUrl,
  postgresUrls,
  provider,
  s3Url,
  sender,
  smtpUrl,
  streaming,
  tracing,
} from "./external-services.ts";
import {
  commaSeparated,
  contact,
  directory,
  durationIn,
  encryptionKeys,
  flag,
  headerList,
  ipRanges,
  listenAddress,
  oneOf,
  origin,
  p256Key,
  share,
  signers,
  text,
  token,
  webUrl,
  wholeNumber,
} from "./parsers.ts";
import { group, type Table } from "./setting.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

// Inferred on its own: TypeScript can't within a group.
const sampler = oneOf(samplerNames);

/** All settings except limits, by their names in `Config`. */
export const settings = {
  port: {
    name: "PORT",
    default: "3000",
    parse: wholeNumber(0, 65_535),
    description: "The port to listen on; 0 picks a free one.",
  },
  host: {
    name: "HOST",
    default: "127.0.0.1",
    parse: text,
    description: "The address to listen on; 0.0.0.0 or :: for all.",
  },
  workers: {
    name: "WORKERS",
    default: "1",
    parse: wholeNumber(1, 1000),
    description: "The number of server processes, which share the port.",
  },
  /** Without a trailing slash; null for `http://HOST:PORT`, once the port is known. */
  baseUrl: {
    name: "BASE_URL",
    parse: origin,
    description: "The service's public URL; `http://HOST:PORT` by default. With https, cookies are `Secure`.",
  },
  dataDir: {
    name: "DATA_DIR",
    default: "./data",
    parse: directory,
    description:
      "The directory for the SQLite database, media (unless `MEDIA_URL` is set) and uploads in progress.",
  },
  /** The current key first; none to use `DATA_DIR/secrets.key`. */
  secretKeys: {
    name: "SECRETS_KEY",
    parse: encryptionKeys,
    description:
      "The key that encrypts secrets in the database: 32 random bytes in base64, such as from `openssl rand -base64 32`. With SQLite, the default is the key in `DATA_DIR/secrets.key`, which the first start creates. With PostgreSQL, set the same key on all machines.",
  },
  database: group(
    {
      url: {
        name: "DATABASE_URL",
        parse: postgresUrl,
        description:
          "A PostgreSQL database to use instead of SQLite, such as `postgres://user:password@host/database`.",
      },
      replicas: {
        name: "DATABASE_REPLICA_URL",
        parse: postgresUrls,
        description:
          "Streaming replicas of that database, comma-separated; feeds and searches are read from them.",
      },
      connections: {
        name: "DATABASE_CONNECTIONS",
        default: "10",
        parse: wholeNumber(1, 1000),
        description: "The most connections that each process opens to PostgreSQL, and to each replica.",
      },
      prepares: {
        name: "DATABASE_PREPARES",
        default: "1",
        parse: flag,
        description: "Whether to use named prepared statements; set to 0 behind PgBouncer before 1.21.",
      },
      timeout: {
        name: "DATABASE_TIMEOUT",
        default: "10",
        parse: durationIn(SECOND, 1, 3600),
        description:
          "Seconds until a statement times out; its connection is then closed and PostgreSQL counts as unavailable. A request waits half as long for a free connection, and at least 5 seconds.",
      },
    },
    database,
  ),
  /** Null for the data directory. */
  media: {
    name: "MEDIA_URL",
    parse: s3Url,
    description:
      "An S3-compatible store for media instead of `DATA_DIR/media`, such as `s3://bucket/prefix?region=eu-central-1`, with `&endpoint=https://…` unless it is AWS. Credentials come from the default AWS sources.",
  },
  mail: group(
    {
      url: {
        name: "MAIL_URL",
        parse: smtpUrl,
        description:
          "The SMTP server, such as `smtps://user:password@host` or `smtp://…`; `off` for no email. If unset, emails are written to the log when `HOST` and `BASE_URL` are local, and otherwise not sent.",
      },
      from: {
        name: "MAIL_FROM",
        parse: sender,
        description: "The sender of emails, such as `Tandem <post@example.org>`; required with `MAIL_URL`.",
      },
    },
    mail,
  ),
  /** Milliseconds. */
  uploadTimeout: {
    name: "UPLOAD_TIMEOUT",
    default: "30",
    parse: durationIn(SECOND, 1, 3600),
    description: `Seconds without data after which an upload's connection is closed. From then on, an upload must also average ${limits.formBytesPerSecond / 1024} KiB per second.`,
  },
  /** Milliseconds. */
  stopDelay: {
    name: "STOP_DELAY",
    default: "0",
    parse: durationIn(SECOND, 0, 3600),
    description:
      "Seconds after SIGTERM in which the service still accepts requests while `/readyz` returns 503, so that load balancers stop sending any.",
  },
  /** Milliseconds. */
  maxWait: {
    name: "MAX_WAIT",
    default: "500",
    parse: wholeNumber(10, 600_000),
    description:
      "Milliseconds that a request may wait for its turn before it is refused with 503; a fiftieth of that, and at least 10, while the service is overloaded.",
  },
  /** Milliseconds. */
  pageCache: {
    name: "PAGE_CACHE",
    default: "5",
    parse: durationIn(SECOND, 0, 3600),
    description:
      "Seconds for which pages and feeds for readers without an account are cached; 0 turns it off.",
  },
  streams: {
    name: "STREAMS",
    default: "10000",
    parse: wholeNumber(0, 1_000_000),
    description:
      "The most event streams that each process keeps open; each uses a file handle (`ulimit -n`).",
  },
  sourceConcurrency: {
    name: "SOURCES_AT_ONCE",
    default: "32",
    parse: wholeNumber(1, 1000),
    description: "The number of sources that are polled concurrently.",
  },
  sourceSpacing: {
    name: "SOURCES_SPACING",
    default: "1000",
    parse: wholeNumber(0, HOUR),
    description: "The minimum of milliseconds between two requests to a source's host.",
  },
  webSub: {
    name: "WEBSUB",
    default: "1",
    parse: flag,
    description:
      "Whether to subscribe to the hubs that feeds name (WebSub), which announce new posts within seconds; 0 turns it off. Needs a `BASE_URL` with https that hubs can reach.",
  },
  trustProxy: {
    name: "TRUST_PROXY",
    default: "0",
    parse: wholeNumber(0, 100),
    description:
      "The number of reverse proxies in front of the service; they are trusted for the client's address.",
  },
  liveUrl: {
    name: "LIVE_URL",
    parse: webUrl,
    description:
      "The base URL where the streaming server offers HLS, for players and for this service; with a streaming server, `BASE_URL/live` by default.",
  },
  streaming: group(
    {
      ingestUrl: {
        name: "LIVE_INGEST_URL",
        parse: text,
        description:
          "The streaming server's ingest URL, such as `rtmp://live.example.org/live`. If set, accounts are listed as live while their stream runs. Requires `LIVE_HOOK_SECRET`.",
      },
      hookSecret: {
        name: "LIVE_HOOK_SECRET",
        parse: text,
        description:
          "The secret that authenticates the streaming server's hooks: 16 to 200 letters, digits, `-` and `_`.",
      },
    },
    streaming,
  ),
  outgoingAllow: {
    name: "OUTGOING_ALLOW",
    parse: ipRanges,
    description:
      "Non-public IP ranges that the service may connect to for sources, links and sign-in providers, comma-separated, such as `10.1.0.0/16`.",
  },
  signers: {
    name: "SIGNATURE_AGENTS",
    default: "any",
    parse: signers,
    description:
      "Whose signatures of requests count (Web Bot Auth): `any` for every host that publishes its keys, `none`, or hosts, comma-separated, such as `signer.example`.",
  },
  similarPosts: {
    name: "SIMILAR_POSTS",
    default: "0",
    parse: flag,
    description:
      "Whether to find posts by meaning, with a model for English that runs on the processor; 1 turns it on. Each server process that searches or reads new posts needs 300 MB more memory.",
  },
  linkCards: {
    name: "LINK_CARDS",
    default: "1",
    parse: flag,
    description: "Whether to fetch previews of linked pages; 0 turns these requests off.",
  },
  linkChecks: {
    name: "LINK_CHECKS",
    default: "1",
    parse: flag,
    description: "Whether to verify the links on profiles; 0 turns these requests off.",
  },
  remotePictures: group(
    {
      megabytes: {
        name: "REMOTE_PICTURES_MB",
        default: "2048",
        parse: wholeNumber(0, 1_000_000_000),
        description:
          "The size of the cache of pictures of other sites, such as those of imported posts, in MiB; 0 turns these pictures off.",
      },
      /** Milliseconds. */
      life: {
        name: "REMOTE_PICTURES_DAYS",
        default: "30",
        parse: durationIn(DAY, 1, 3650),
        description: "Days after which a cached picture of another site is fetched again.",
      },
    },
    (remotePictures) => remotePictures,
  ),
  hotLikes: {
    name: "HOT_LIKES",
    default: "all",
    parse: oneOf(["all", "people"]),
    description:
      "Whose likes count in the hot ranking: `all`, or only those of `people`, without keys and agents.",
  },
  /** Milliseconds. */
  activityRetention: {
    name: "ACTIVITY_DAYS",
    default: "90",
    parse: durationIn(DAY, 1, 36_500),
    description: "Days to keep the activity log of agents and keys.",
  },
  logLevel: {
    name: "LOG_LEVEL",
    default: "info",
    parse: oneOf(logLevels),
    description: `The minimum log level: ${logLevels.join(", ")}.`,
  },
  commit: {
    name: "SOURCE_COMMIT",
    parse: text,
    description:
      "The commit that runs, for the metric `tandem_build_info`; by default that of the git checkout.",
  },
  metrics: group(
    {
      token: {
        name: "METRICS_TOKEN",
        parse: token,
        description:
          "The bearer token with which other machines may read `/metrics`; if unset, only programs on this machine can.",
      },
      address: {
        name: "METRICS_LISTEN",
        parse: listenAddress,
        description:
          "An address and port for `/metrics` alone, such as `10.0.0.11:9464`; everyone who reaches it can read it, unless `METRICS_TOKEN` is set. `PORT` then doesn't serve metrics.",
      },
    },
    (metrics) => metrics,
  ),
  /** Null if it is off. */
  tracing: group(
    {
      endpoint: {
        name: "OTEL_EXPORTER_OTLP_ENDPOINT",
        parse: webUrl,
        description:
          "The OpenTelemetry collector that traces are sent to, by OTLP over HTTP with protobuf, such as `http://127.0.0.1:4318`; if unset, there are no traces.",
      },
      headers: {
        name: "OTEL_EXPORTER_OTLP_HEADERS",
        parse: headerList,
        description:
          "Headers that the collector needs, such as `authorization=Bearer%20secret`, comma-separated, with values URL-encoded.",
      },
      serviceName: {
        name: "OTEL_SERVICE_NAME",
        default: "tandem",
        parse: text,
        description: "The service's name in traces.",
      },
      sampler: {
        name: "OTEL_TRACES_SAMPLER",
        default: "parentbased_always_on",
        parse: sampler,
        description: `Which traces are recorded: ${samplerNames.join(", ")}. Those with \`parentbased\` do as the caller's \`traceparent\` says, if there is one.`,
      },
      ratio: {
        name: "OTEL_TRACES_SAMPLER_ARG",
        default: "1",
        parse: share,
        description: "The share of traces that the samplers with `traceidratio` record, from 0 to 1.",
      },
    },
    tracing,
  ),
  google: group(
    {
      clientIds: {
        name: "GOOGLE_CLIENT_ID",
        parse: commaSeparated,
        description:
          "Client ids whose Google ID tokens are accepted, comma-separated, the web app's first; if unset, sign-in with Google is off.",
      },
      issuer: {
        name: "GOOGLE_ISSUER",
        default: "https://accounts.google.com",
        parse: webUrl,
        description: "The issuer of Google's ID tokens.",
      },
    },
    provider,
  ),
  apple: group(
    {
      clientIds: {
        name: "APPLE_CLIENT_ID",
        parse: commaSeparated,
        description:
          "Client ids whose Apple ID tokens are accepted, comma-separated, the web app's first; if unset, sign-in with Apple is off.",
      },
      issuer: {
        name: "APPLE_ISSUER",
        default: "https://appleid.apple.com",
        parse: webUrl,
        description: "The issuer of Apple's ID tokens.",
      },
    },
    provider,
  ),
  registration: {
    name: "REGISTRATION",
    default: "open",
    parse: oneOf(registrationModes),
    description:
      "Who can sign up: anyone (`open`), people an admin approves (`approval`), people with an invitation (`invitation`), or no one (`closed`).",
  },
  /** Iterations of PBKDF2 per attempt; 0 for none. */
  signUpWork: {
    name: "SIGNUP_PROOF_OF_WORK",
    default: "0",
    parse: wholeNumber(0, 1_000_000),
    description:
      "The work that a browser has to do to sign up with a password, to slow down programs that create many accounts: with 5000, usually less than a second; 0 turns it off.",
  },
  /** Milliseconds. */
  sessionLife: {
    name: "SESSION_DAYS",
    default: "90",
    parse: durationIn(DAY, 1, 36_500),
    description: "Days after which a session ends, however often it is used; unused ones end after 30 days.",
  },
  adminTwoFactor: {
    name: "ADMIN_TWO_FACTOR",
    default: "0",
    parse: flag,
    description:
      "Whether admins need two-factor authentication; without it, they can't use admin operations.",
  },
  /** Null for the generated one in the database. */
  pushKey: {
    name: "VAPID_PRIVATE_KEY",
    parse: p256Key,
    description:
      "The VAPID key for browser push: a P-256 private key, 32 bytes in base64url. If unset, one is generated and stored in the database. After a change, browsers must subscribe again.",
  },
  /** As a URL. */
  securityContact: {
    name: "SECURITY_CONTACT",
    parse: contact,
    description:
      "The contact for vulnerability reports: an email address, or a `https:`, `mailto:` or `tel:` URL. If unset, there is no `/.well-known/security.txt`.",
  },
} satisfies Table;
