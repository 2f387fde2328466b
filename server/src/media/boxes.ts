/** Boxes: the structure of MP4, HEIC and JUMBF. */

export interface Box {
  type: string;
  /** The offsets at which its content starts and ends. */
  body: number;
  end: number;
}

/** Null if there is no box. A box that claims to be longer than its container is cut to it. */
export function boxAt(bytes: Buffer, at: number, end: number): Box | null {
  if (at + 8 > Math.min(end, bytes.length)) return null;
  const type = bytes.toString("latin1", at + 4, at + 8);
  const short = bytes.readUInt32BE(at);
  if (short === 0) return { type, body: at + 8, end };
  if (short !== 1) return short < 8 ? null : { type, body: at + 8, end: Math.min(at + short, end) };
  if (at + 16 > bytes.length) return null;
  const long = Number(bytes.readBigUInt64BE(at + 8));
  return long < 16 ? null : { type, body: at + 16, end: Math.min(at + long, end) };
}

/** The boxes in these bytes, at most so many. */
export function boxesIn(bytes: Buffer, most: number): { type: string; content: Buffer }[] {
  const found = [];
  for (let box = boxAt(bytes, 0, bytes.length); box && found.length < most; ) {
    found.push({ type: box.type, content: bytes.subarray(box.body, box.end) });
    box = boxAt(bytes, box.end, bytes.length);
  }
  return found;
}
