/** UTC offsets of zone names in feeds; JavaScript parses others itself. */
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

/** Earlier times come from clocks that were never set. */
const EARLIEST = Date.UTC(1990, 0, 1);

/**
 * Parses a time to milliseconds since 1970: RFC 822 or RFC 3339, with or without weekday, seconds or zone (UTC by
 * default), or a count of seconds or milliseconds since 1970. Future and invalid times become `now`.
 */
export function timeOf(given: unknown, now = Date.now()): number {
  const time = typeof given === "number" ? counted(given) : parsed(given);
  return time >= EARLIEST ? Math.min(Math.floor(time), now) : now;
}

/** The same, but null if it isn't a valid time. */
export function timeOrNull(given: unknown): number | null {
  return isTime(given) ? timeOf(given) : null;
}

/** The first valid time of several. */
export function firstTime(given: unknown[]): unknown {
  return given.find(isTime);
}

function isTime(given: unknown): boolean {
  return timeOf(given, Number.POSITIVE_INFINITY) !== Number.POSITIVE_INFINITY;
}

/** A number is in seconds, unless that would be after the year 5000. */
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

/** Removes the weekday, which is redundant and can be in any language. */
function withoutWeekday(text: string): string {
  return text.replace(/^\p{L}+\.?, ?(?=\d)/u, "");
}

/** Adds UTC to times without a zone, because JavaScript would assume the server's. */
function inUtc(text: string): string {
  const zone = / ([A-Z]{2,4})$/i.exec(text)?.[1];
  const offset = zone && zones[zone.toUpperCase()];
  if (offset) return text.slice(0, -zone.length) + offset;
  if (/^\d{4}-\d\d(-\d\d)?$/.test(text) || /(Z| [A-Z]{1,4}|[+-]\d\d:?\d\d)$/i.test(text)) return text;
  return /^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`;
}
