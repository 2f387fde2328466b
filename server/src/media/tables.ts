import { type FileHandle, open } from "node:fs/promises";
import { InvalidMedia } from "./invalid-media.ts";

/** Far beyond any video of our size, and still read in a moment. */
const most = { tableBytes: 2 ** 25, boxes: 2 ** 16, tracks: 64, samples: 2 ** 21, steps: 2 ** 31 };

/** One track has no more pieces than this. */
export const mostPackets = most.samples;

const TOO_MANY = "The video's index tells of more pieces than such a video has.";

/**
 * An index of a few bytes can tell of thousands of millions of pieces, and a reader believes it. This looks at the
 * counts alone before anybody reads the rest. Throws {@link InvalidMedia} for an index that nobody should read at all.
 */
export async function countTables(path: string): Promise<Counts> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const counts: Counts = { tracks: 0, samples: 0, perChunk: 0 };
    let [boxes, bytes] = [0, 0];
    for (let at = 0; at + 8 <= size; boxes += 1) {
      const box = headOf(await read(file, at, 16), 0, size - at);
      // What isn't a box any more is no reader's business either.
      if (!box) break;
      if (boxes > most.boxes) throw new InvalidMedia(TOO_MANY);
      if (box.type === "moov" || box.type === "moof") {
        bytes += box.end;
        if (bytes > most.tableBytes) throw new InvalidMedia(TOO_MANY);
        count(await read(file, at, box.end), counts);
      }
      at += box.end;
    }
    return counts;
  } finally {
    await file.close();
  }
}

/** Throws {@link InvalidMedia} for pieces that nobody should walk through one by one. */
export function judgeCounts({ samples, perChunk }: Counts): void {
  if (samples > most.samples || samples * perChunk > most.steps) throw new InvalidMedia(TOO_MANY);
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

interface Box {
  type: string;
  /** Where its content begins and ends. */
  body: number;
  end: number;
}

/** Null for one that isn't a box. What says that it is longer than what it lies in, ends with that. */
function headOf(bytes: Buffer, at: number, end: number): Box | null {
  if (at + 8 > Math.min(end, bytes.length)) return null;
  const type = bytes.toString("latin1", at + 4, at + 8);
  const short = bytes.readUInt32BE(at);
  if (short === 0) return { type, body: at + 8, end };
  if (short !== 1) return short < 8 ? null : { type, body: at + 8, end: Math.min(at + short, end) };
  if (at + 16 > bytes.length) return null;
  const long = Number(bytes.readBigUInt64BE(at + 8));
  return long < 16 ? null : { type, body: at + 16, end: Math.min(at + long, end) };
}

const nests = new Set(["moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf"]);

export interface Counts {
  tracks: number;
  samples: number;
  perChunk: number;
}

/** Adds up what the tables speak of, wherever they lie. */
function count(bytes: Buffer, counts: Counts): void {
  const open = [{ at: 0, end: bytes.length }];
  for (let part = open.pop(); part; part = open.pop()) {
    for (let box = headOf(bytes, part.at, part.end); box; box = headOf(bytes, box.end, part.end)) {
      if (nests.has(box.type)) open.push({ at: box.body, end: box.end });
      if (box.type === "trak") counts.tracks += 1;
      add(bytes.subarray(box.body, box.end), box.type, counts);
      if (counts.tracks > most.tracks) throw new InvalidMedia(TOO_MANY);
    }
  }
}

/** A reader searches a piece in its chunk from the chunk's beginning: many pieces in one take it many steps. */
function add(table: Buffer, type: string, counts: Counts): void {
  if (type === "stsz" || type === "stz2") counts.samples += wordAt(table, 8);
  if (type === "trun") counts.samples += wordAt(table, 4);
  // Runs of pieces that take as long, or are as late: how many pieces, and four bytes more.
  if (type === "stts" || type === "ctts")
    for (let at = 8; at + 8 <= table.length; at += 8) counts.samples += 1 + wordAt(table, at);
  if (type === "stsc")
    for (let at = 8; at + 12 <= table.length; at += 12)
      counts.perChunk = Math.max(counts.perChunk, wordAt(table, at + 4));
}

function wordAt(table: Buffer, at: number): number {
  return at + 4 <= table.length ? table.readUInt32BE(at) : 0;
}
