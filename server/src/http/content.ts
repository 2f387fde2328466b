import { brotliCompressSync, constants, crc32, gzipSync } from "node:zlib";

/** In order of preference. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** Below this many bytes, a response fits into one packet anyway. */
const LEAST = 1024;
/** What content takes in memory with its compressed forms, relative to its bytes, at most: text compresses to a quarter or less. */
const WITH_COMPRESSED = 1.5;

/** Levels for content that is sent once or a few times, and for content that many clients get. */
const levels = {
  fast: { br: 1, gzip: 1 },
  thorough: { br: 5, gzip: 6 },
} as const;

/** What a response sends, with its `ETag`, as it is and compressed. */
export interface Sendable {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly isWorthCompressing: boolean;
  compressed(encoding: Encoding): Buffer;
}

/** The text of a response, with its `ETag`; compressed when it is first sent so, and then kept compressed as long as it is kept. */
export class Content implements Sendable {
  /** Its bytes in parts, of which others may share some. */
  readonly pieces: readonly Buffer[];
  /** How many bytes there are. */
  readonly length: number;
  readonly tag: string;
  readonly #levels: Readonly<Record<Encoding, number>>;
  readonly #compressed: Partial<Record<Encoding, Buffer>> = {};

  /** @param tag its `ETag`, if that is known already */
  constructor(pieces: readonly Buffer[], effort: keyof typeof levels, tag?: string) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
    this.tag = tag ?? tagOf(this.bytes);
    this.#levels = levels[effort];
  }

  /** All in one: a copy if it has several pieces. */
  get bytes(): Buffer {
    const [first] = this.pieces;
    return first && this.pieces.length === 1 ? first : Buffer.concat(this.pieces);
  }

  get isWorthCompressing(): boolean {
    return this.length >= LEAST;
  }

  /** The bytes that it takes in memory, about. */
  get size(): number {
    return this.length * WITH_COMPRESSED;
  }

  /**
   * Compresses in this thread: for texts of this size, handing them to another one costs this one more time, and the machine three
   * times as much.
   */
  compressed(encoding: Encoding): Buffer {
    this.#compressed[encoding] ??= compress[encoding](this.bytes, this.#levels[encoding]);
    return this.#compressed[encoding];
  }
}

const compress: Record<Encoding, (bytes: Buffer, level: number) => Buffer> = {
  br: (bytes, level) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, level) => gzipSync(bytes, { level }),
};

/**
 * Checksum and length distinguish versions of one page at a third of the cost of a hash. A weak tag is the same for every
 * encoding.
 */
export function tagOf(bytes: Buffer): string {
  return `W/"${bytes.length.toString(36)}-${crc32(bytes).toString(36)}"`;
}
