import { DAY, HOUR } from "@tandem/contract/durations";
import parser from "robots-parser";
import { respectPause } from "../http/retry-after.ts";
import type { Services } from "../http/services.ts";
import { OriginError } from "../origins/connector.ts";
import { robotName } from "../outgoing/user-agent.ts";
import { Lru } from "../storage/lru.ts";

/** Milliseconds for which a host's rules are cached, and for which its failure to provide them is. */
const CACHE_TIME = DAY;
const FAILURE_CACHE_TIME = HOUR / 6;
const MAX_HOSTS = 2000;
/** Bytes of a robots.txt that are read. RFC 9309 requires at least 500 KiB. */
const MAX_BYTES = 512 * 1024;
/** Matching a file with more wildcards could block the process for a long time. */
const MAX_WILDCARDS = 2000;
/** Seconds: a longer crawl delay is shortened to this. */
const MAX_DELAY = 60;

// The package is CommonJS, though its types claim ES: the default import is the whole module.
const robotsParser = parser as unknown as typeof parser.default;
type Rules = ReturnType<typeof robotsParser>;

interface CacheEntry {
  /** Null before the first request, and after one that failed. Resolves to null if the host couldn't provide rules. */
  rules: Promise<Rules | null> | null;
  /** When to fetch them again, in milliseconds since 1970. */
  expiresAt: number;
}

/** A cache of hosts' robots.txt rules. */
export class Robots {
  readonly #hosts = new Lru<string, CacheEntry>(MAX_HOSTS);

  /**
   * Returns the milliseconds that the host wants between two requests. Throws {@link OriginError} if its robots.txt
   * disallows the URL or can't be read.
   */
  async check(services: Services, url: URL, signal: AbortSignal): Promise<number> {
    const entry = this.#hosts.get(url.origin, () => ({ rules: null, expiresAt: 0 }));
    if (!entry.rules || entry.expiresAt <= services.now()) refresh(services, entry, url, signal);
    const rules = await entry.rules;
    if (!rules) throw new OriginError(`The robots.txt of ${url.host} can't be read, so nothing is fetched.`);
    if (rules.isAllowed(url.href, robotName) === false)
      throw new OriginError(`The robots.txt of ${url.host} disallows this address.`);
    // A crawl delay that isn't a number counts as none.
    const delay = Number(rules.getCrawlDelay(robotName)) || 0;
    return Math.min(Math.max(delay, 0), MAX_DELAY) * 1000;
  }
}

function refresh(services: Services, entry: CacheEntry, url: URL, signal: AbortSignal): void {
  const now = services.now();
  entry.expiresAt = now + CACHE_TIME;
  const rules = readRules(services, new URL("/robots.txt", url), signal);
  entry.rules = rules;
  rules.then(
    (result) => {
      if (!result) entry.expiresAt = now + FAILURE_CACHE_TIME;
    },
    // Don't cache errors: they may be the caller's, such as an aborted signal.
    () => {
      if (entry.rules === rules) entry.rules = null;
    },
  );
}

/** Null if the host couldn't provide its rules (then nothing may be fetched). Without a robots.txt everything is allowed. */
async function readRules(services: Services, url: URL, signal: AbortSignal): Promise<Rules | null> {
  const { status, bytes } = await respectPause(services, url.host, () =>
    services.outgoing(url, { signal, maxBytes: MAX_BYTES }),
  );
  if (status >= 500 || status === 429) return null;
  const text = status === 200 ? bytes.toString() : "";
  return text.split("*").length > MAX_WILDCARDS ? null : robotsParser(url.href, text);
}
