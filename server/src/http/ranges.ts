import type { Range } from "../media/store.ts";

/** The requested part of a file: all of it (null), one range, or an unsatisfiable one. */
export type RequestedRange = Range | null | "unsatisfiable";

/**
 * Parses a `Range` header for a file of `bytes` bytes (RFC 9110, 14.2). Supports one byte range; anything else is ignored,
 * as the standard allows. The library range-parser (1.3) isn't used: it refuses a suffix that is longer than the file, which
 * by the standard means all of the file.
 */
export function rangeOf(header: string | undefined, bytes: number): RequestedRange {
  const [, from, to] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const first = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== "" && to !== "" && Number(to) < first) return null;
  return first >= bytes || (from === "" && Number(to) === 0) ? "unsatisfiable" : { first, last };
}
