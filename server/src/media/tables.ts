import { type FileHandle, open } from "node:fs/promises";
import { boxAt } from "./boxes.ts";
import { InvalidMedia } from "./invalid-media.ts";

/** Far above any video that we accept, and still quick to process. */
const limits = { tableBytes: 2 ** 25, boxes: 2 ** 16, tracks: 64, samples: 2 ** 21, steps: 2 ** 31 };

/** The most packets of one track. */
export const maxPackets = limits.samples;

const TOO_MANY = "The video's index lists more samples than a video can have.";

/**
 * Counts a video's tracks and samples from its index tables, without reading the samples: an index of a few bytes can
 * claim billions of samples, and a reader would believe it. Throws {@link InvalidMedia} for an excessive index.
 */
export async function countTables(path: string): Promise<Counts> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const counts: Counts = { tracks: 0, samples: 0, perChunk: 0 };
    let [boxes, bytes] = [0, 0];
    for (let at = 0; at + 8 <= size; boxes += 1) {
      const box = boxAt(await read(file, at, 16), 0, size - at);
      // Trailing data that isn't a box. Readers ignore it too.
      if (!box) break;
      if (boxes > limits.boxes) throw new InvalidMedia(TOO_MANY);
      if (box.type === "moov" || box.type === "moof") {
        bytes += box.end;
        if (bytes > limits.tableBytes) throw new InvalidMedia(TOO_MANY);
        count(await read(file, at, box.end), counts);
      }
      at += box.end;
    }
    return counts;
  } finally {
    await file.close();
  }
}

/** Throws {@link InvalidMedia} if there are too many samples to iterate over. */
export function checkCounts({ samples, perChunk }: Counts): void {
  if (samples > limits.samples || samples * perChunk > limits.steps) throw new InvalidMedia(TOO_MANY);
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

const nests = new Set(["moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf"]);

export interface Counts {
  tracks: number;
  samples: number;
  perChunk: number;
}

/** Adds up the samples in all tables, wherever they are nested. */
function count(bytes: Buffer, counts: Counts): void {
  const open = [{ at: 0, end: bytes.length }];
  for (let part = open.pop(); part; part = open.pop()) {
    for (let box = boxAt(bytes, part.at, part.end); box; box = boxAt(bytes, box.end, part.end)) {
      if (nests.has(box.type)) open.push({ at: box.body, end: box.end });
      if (box.type === "trak") counts.tracks += 1;
      add(bytes.subarray(box.body, box.end), box.type, counts);
      if (counts.tracks > limits.tracks) throw new InvalidMedia(TOO_MANY);
    }
  }
}

/** A reader finds a sample by walking through its chunk, so large chunks make reading quadratic. */
function add(table: Buffer, type: string, counts: Counts): void {
  if (type === "stsz" || type === "stz2") counts.samples += wordAt(table, 8);
  if (type === "trun") counts.samples += wordAt(table, 4);
  // Runs of samples with the same duration or offset: a 4-byte count and a 4-byte value.
  if (type === "stts" || type === "ctts")
    for (let at = 8; at + 8 <= table.length; at += 8) counts.samples += 1 + wordAt(table, at);
  if (type === "stsc")
    for (let at = 8; at + 12 <= table.length; at += 12)
      counts.perChunk = Math.max(counts.perChunk, wordAt(table, at + 4));
}

function wordAt(table: Buffer, at: number): number {
  return at + 4 <= table.length ? table.readUInt32BE(at) : 0;
}
