import type { Readable } from "node:stream";

/** Bytes of a file, the last of them included. */
export interface Range {
  first: number;
  last: number;
}

/** A file in the store, open for reading until it is disposed of. */
export interface StoredBytes extends AsyncDisposable {
  bytes: number;
  /** Its content, or a part of it. To be called once; the stream then holds the file, and destroying it lets go. */
  stream(range?: Range): Promise<Readable>;
}

/** Where media lie. Names are those of `names.ts`; what has a name never changes. */
export interface Store {
  /** Takes the file at `path` in under that name. It is safe once this resolves; the file at `path` may be gone. */
  put(name: string, path: string): Promise<void>;
  /** Null where there is none. */
  open(name: string): Promise<StoredBytes | null>;
  /** Does work that needs the file as one on the disk. Null where there is none. */
  withFile<T>(name: string, work: (path: string) => Promise<T>): Promise<T | null>;
  /** Removes files; those that aren't there are no error. */
  remove(names: readonly string[]): Promise<void>;
  /** All that is stored, and since when, in milliseconds since 1970. */
  list(): AsyncIterable<{ name: string; storedAt: number }>;
}
