import { decode, Tagged } from "cborg";
import { ArchiveError } from "./archive.ts";

/*
 * A CAR file (version 1): a header, and blocks of DAG-CBOR, each with its content identifier (CID). Links between blocks are CIDs in
 * tag 42, after a zero byte.
 */

const LINK = 42;
/** Bytes of a block. A record of Bluesky has at most 1 MiB. */
const MAX_BLOCK = 2 ** 21;
const options = { tags: Tagged.preserve(LINK), strict: false, allowIndefinite: false };

/** The decoded blocks by their CIDs, which are in hexadecimal. Throws {@link ArchiveError}. */
export function* carBlocks(bytes: Buffer): Generator<{ cid: string; value: unknown }> {
  const header = sectionAt(bytes, 0);
  const { version } = (decoded(header.content) ?? {}) as { version?: unknown };
  if (version !== 1) throw new ArchiveError("damaged");
  for (let at = header.end; at < bytes.length; ) {
    const { content, end } = sectionAt(bytes, at);
    const length = cidLength(content);
    yield { cid: content.toString("hex", 0, length), value: decoded(content.subarray(length)) };
    at = end;
  }
}

/** Whether a file begins like one: with a header that names its roots. */
export const isCar = (bytes: Buffer): boolean => bytes.subarray(0, 200).includes("eroots");

/** The CID of a link, in hexadecimal; null if the value isn't a link. */
export function cidOf(link: unknown): string | null {
  if (!(link instanceof Tagged) || link.tag !== LINK || !(link.value instanceof Uint8Array)) return null;
  return Buffer.from(link.value.subarray(1)).toString("hex");
}

function decoded(block: Buffer): unknown {
  try {
    return decode(block, options);
  } catch (cause) {
    throw new ArchiveError("damaged", { cause });
  }
}

function sectionAt(bytes: Buffer, at: number) {
  const { value: length, end: start } = varintAt(bytes, at);
  const end = start + length;
  if (length === 0 || length > MAX_BLOCK || end > bytes.length) throw new ArchiveError("damaged");
  return { content: bytes.subarray(start, end), end };
}

/** CIDs of version 1: version, codec, hash function, length of the hash, hash. */
function cidLength(content: Buffer): number {
  let at = 0;
  let value = 0;
  for (let field = 0; field < 4; field++) ({ value, end: at } = varintAt(content, at));
  if (content[0] !== 1 || at + value > content.length) throw new ArchiveError("damaged");
  return at + value;
}

function varintAt(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, scale = 1; at < bytes.length && at < start + 5; at++, scale *= 128) {
    const byte = bytes[at] as number;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at + 1 };
  }
  throw new ArchiveError("damaged");
}
