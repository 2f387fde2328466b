import { createHash, type Hash } from "node:crypto";
import { strictDictionary } from "./signed-fields.ts";

/** Those of RFC 9530 that are still safe, and their names in Node.js. */
const algorithms = { "sha-256": "sha256", "sha-512": "sha512" } as const;

/** Hashes a body as it arrives, to compare it with its `Content-Digest`. */
export class BodyDigest {
  readonly #hashes: readonly (readonly [name: string, hash: Hash])[];
  /** The bytes so far. */
  length = 0;

  constructor() {
    this.#hashes = Object.entries(algorithms).map(([name, hash]) => [name, createHash(hash)]);
  }

  static of(body: Buffer): BodyDigest {
    const digest = new BodyDigest();
    digest.update(body);
    return digest;
  }

  update(chunk: Buffer): void {
    this.length += chunk.length;
    for (const [, hash] of this.#hashes) hash.update(chunk);
  }

  /** Whether a `Content-Digest` has a digest of a known algorithm, and all of those are of this body. */
  matches(contentDigest: string): boolean {
    const stated = digestsIn(contentDigest);
    const known = this.#hashes.flatMap(([name, hash]) => {
      const digest = stated.get(name);
      return digest ? [hash.copy().digest().equals(digest)] : [];
    });
    return known.length > 0 && !known.includes(false);
  }
}

/** Empty if it is malformed. */
function digestsIn(contentDigest: string): Map<string, Buffer> {
  try {
    const members = [...strictDictionary(contentDigest)];
    return new Map(
      members.flatMap(([name, [value]]) =>
        value instanceof ArrayBuffer ? [[name, Buffer.from(value)] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
