/** The zones that feeds name, in hours from UTC; the rest are read by JavaScript itself. */
const zones: Record<string, string> = {
  UT: "+0000",
  WET: "+0000",
  WEST: "+0100",
  BST: "+0100",
  CET: "+0100",
  CEST: "+0200",
  MEZ: "+0100",
  MESZ: "+0200",
  EET: "+0200",
  EEST: "+0300",
  MSK: "+0300",
  JST: "+0900",
  KST: "+0900",
  AEST: "+1000",
  AEDT: "+1100",
  AKST: "-0900",
  HST: "-1000",
};

/** The web is not older: an earlier time is a clock that was never set. */
const EARLIEST = Date.UTC(1990, 0, 1);

/**
 * When something was posted, in milliseconds since 1970, however that is written: as RFC 822 and RFC 3339 have it, with or
 * without weekday, seconds or zone (then it is UTC), or as a count of seconds or milliseconds since 1970. What is said to
 * come yet, or said in no such way, is now.
 */
export function timeOf(given: unknown, now = Date.now()): number {
  const time = typeof given === "number" ? counted(given) : parsed(given);
  return time >= EARLIEST ? Math.min(Math.floor(time), now) : now;
}

/** The same, but null where no time is said. */
export function timeIfTold(given: unknown): number | null {
  return isTold(given) ? timeOf(given) : null;
}

/** The first of several that says a time. */
export function firstTold(given: unknown[]): unknown {
  return given.find(isTold);
}

function isTold(given: unknown): boolean {
  return timeOf(given, Number.POSITIVE_INFINITY) !== Number.POSITIVE_INFINITY;
}

/** Seconds, unless that many seconds were after the year 5000. */
function counted(count: number): number {
  return Math.abs(count) < 1e11 ? count * 1000 : count;
}

function parsed(given: unknown): number {
  if (typeof given !== "string") return Number.NaN;
  const text = given.slice(0, 100).trim().replace(/\s+/g, " ");
  if (/^\d{9,13}(\.\d+)?$/.test(text)) return counted(Number(text));
  const basic = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(?:Z|$))?/.exec(text);
  if (basic) return fromParts(basic.slice(1).map((part) => Number(part ?? 0)));
  return Date.parse(inUtc(withoutWeekday(text)));
}

function fromParts([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: number[]): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Its language may be any, and it says nothing that the date doesn't. */
function withoutWeekday(text: string): string {
  return text.replace(/^\p{L}+\.?, ?(?=\d)/u, "");
}

/** Without a zone JavaScript would take the server's own. */
function inUtc(text: string): string {
  const zone = / ([A-Z]{2,4})$/i.exec(text)?.[1];
  const known = zone && zones[zone.toUpperCase()];
  if (known) return text.slice(0, -zone.length) + known;
  if (/^\d{4}-\d\d(-\d\d)?$/.test(text) || /(Z| [A-Z]{1,4}|[+-]\d\d:?\d\d)$/i.test(text)) return text;
  return /^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`;
}
