import type { Range } from "../media/store.ts";

/** Which part of a file is asked for: all of it (null), one range, or none that there is. */
export type Asked = Range | null | "beyond";

/**
 * Reads a `Range` header against a file of so many bytes (RFC 9110, 14.2). One range of bytes is understood; what is
 * malformed, of another unit or for several ranges is as good as none, as the standard allows.
 */
export function rangeOf(header: string | undefined, bytes: number): Asked {
  const [, from, to] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const first = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== "" && to !== "" && Number(to) < first) return null;
  return first >= bytes || (from === "" && Number(to) === 0) ? "beyond" : { first, last };
}
