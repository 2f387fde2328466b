import { crc32 } from "node:zlib";
import { tagOf } from "./content.ts";
import { JsonText } from "./context.ts";

/** What some see instead of a part of JSON that many share. Positions are in bytes. */
export interface Change {
  from: number;
  to: number;
  json: string;
}

/** With up to this many changes, it costs less to checksum them and to send pieces than to checksum and copy all bytes. */
const FEW = 7;

/** A response that many get, some of them with changes. Its bytes are neither copied nor checksummed for each of them. */
export class SharedJson {
  readonly bytes: Buffer;
  readonly #tag: string;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#tag = tagOf(bytes);
  }

  /** The response with these changes, which are in order. */
  with(changes: readonly Change[]): JsonText {
    if (changes.length === 0) return new JsonText([this.bytes], this.#tag);
    const pieces: (string | Buffer)[] = [];
    let at = 0;
    for (const { from, to, json } of changes) {
      pieces.push(this.bytes.subarray(at, from), json);
      at = to;
    }
    pieces.push(this.bytes.subarray(at));
    return new JsonText(pieces, changes.length <= FEW ? this.#tagWith(changes) : undefined);
  }

  #tagWith(changes: readonly Change[]): string {
    const texts = changes.map(({ from, to, json }) => `${from} ${to} ${json}`);
    return `${this.#tag.slice(0, -1)}-${crc32(texts.join("\n")).toString(36)}"`;
  }
}
