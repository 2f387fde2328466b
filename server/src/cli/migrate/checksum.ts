import { hash } from "node:crypto";
import type { Row } from "../../storage/bulk.ts";

/** A checksum of rows that doesn't depend on their order. */
export interface Sum {
  rows: number;
  /** The sum of the rows' digests, modulo 2^64, in hexadecimal. */
  sum: string;
}

export const nothing: Sum = { rows: 0, sum: "0" };

export function addToSum({ rows: count, sum }: Sum, columns: readonly string[], rows: readonly Row[]): Sum {
  let total = BigInt(`0x${sum}`);
  for (const row of rows) total += digest(columns.map((column) => canonical(row[column])).join());
  return { rows: count + rows.length, sum: BigInt.asUintN(64, total).toString(16) };
}

export function isSame(one: Sum, other: Sum): boolean {
  return one.rows === other.rows && one.sum === other.sum;
}

function digest(text: string): bigint {
  return BigInt(`0x${hash("sha1", text).slice(0, 16)}`);
}

/** A value as text: distinct for distinct values, and the same on both engines. */
function canonical(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || value === null) return String(value);
  if (Buffer.isBuffer(value)) return `x${value.toString("hex")}`;
  throw new Error(`A ${typeof value} can't be compared between engines`);
}
