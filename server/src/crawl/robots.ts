import parser from "robots-parser";
import { OriginError } from "../origins/connector.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import { robotName } from "../outgoing/user-agent.ts";
import { Lru } from "../storage/lru.ts";

const HOUR = 3_600_000;
/** How long a host's wishes are remembered, in milliseconds; shorter where it couldn't tell them. */
const KEPT = 24 * HOUR;
const KEPT_UNKNOWN = HOUR / 6;
const HOSTS = 2000;
/** Bytes of a robots.txt that are read (RFC 9309 asks for 500 KiB at least). */
const MOST = 512 * 1024;
/** So many wildcards, and it takes no time to look whether an address fits; a file made of them would keep everybody waiting. */
const WILDCARDS = 2000;
/** Seconds between two requests that a host may ask for at most. */
const LONGEST_DELAY = 60;

// It is no ES module, though its types say so: what they call its default is all of it.
const robotsParser = parser as unknown as typeof parser.default;
type Rules = ReturnType<typeof robotsParser>;

interface Wishes {
  /** Null until they were asked for, or where that failed. */
  rules: Promise<Rules | null> | null;
  /** When they are to be asked for again; in milliseconds since 1970. */
  until: number;
}

/** What hosts wish to be asked, by their robots.txt. */
export class Robots {
  readonly #known = new Lru<string, Wishes>(HOSTS);

  /**
   * Gives back the milliseconds that the host wants between two requests. Throws {@link OriginError} where this address
   * isn't to be asked.
   */
  async judge(url: URL, outgoing: Outgoing, signal: AbortSignal, now: number): Promise<number> {
    const wishes = this.#known.get(url.origin, () => ({ rules: null, until: 0 }));
    if (!wishes.rules || wishes.until <= now) renew(wishes, url.origin, outgoing, signal, now);
    const rules = await wishes.rules;
    if (!rules) throw new OriginError(`${url.host} can't say now whether it may be asked (robots.txt).`);
    if (rules.isAllowed(url.href, robotName) === false)
      throw new OriginError(`The robots.txt of ${url.host} forbids to ask for this address.`);
    // It may be no number.
    const delay = Number(rules.getCrawlDelay(robotName)) || 0;
    return Math.min(Math.max(delay, 0), LONGEST_DELAY) * 1000;
  }
}

function renew(wishes: Wishes, origin: string, outgoing: Outgoing, signal: AbortSignal, now: number): void {
  wishes.until = now + KEPT;
  const rules = read(`${origin}/robots.txt`, outgoing, signal);
  wishes.rules = rules;
  rules.then(
    (told) => {
      if (!told) wishes.until = now + KEPT_UNKNOWN;
    },
    // What failed, perhaps for the asker's own reasons, says nothing of the host.
    () => {
      if (wishes.rules === rules) wishes.rules = null;
    },
  );
}

/** Null where the host couldn't say, so that nothing may be asked; where there is none, all may. */
async function read(url: string, outgoing: Outgoing, signal: AbortSignal): Promise<Rules | null> {
  const { status, bytes } = await outgoing(url, { signal, maxBytes: MOST });
  if (status >= 500 || status === 429) return null;
  const text = status === 200 ? bytes.toString() : "";
  return text.split("*").length > WILDCARDS ? null : robotsParser(url, text);
}
