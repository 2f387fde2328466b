import type { Readable } from "node:stream";

/** A byte range; both ends are inclusive. */
export interface Range {
  first: number;
  last: number;
}

/** A stored file, open for reading until it is disposed. */
export interface StoredBytes extends AsyncDisposable {
  bytes: number;
  /** The content or a part of it. Call it once; afterwards the stream owns the file and closes it when destroyed. */
  stream(range?: Range): Promise<Readable>;
}

/** Storage for media files. Names are those of `names.ts`; a file's content never changes. */
export interface Store {
  /** Stores the file at `path` under that name, possibly moving it. Resolves once it is durable. */
  put(name: string, path: string): Promise<void>;
  /** Null if there is none. */
  open(name: string): Promise<StoredBytes | null>;
  /** Runs work that needs the file on the local disk. Null if there is no such file. */
  withFile<T>(name: string, work: (path: string) => Promise<T>): Promise<T | null>;
  /** Deletes files. Missing files are not an error. */
  remove(names: readonly string[]): Promise<void>;
  /** All stored files, with their time in milliseconds since 1970. */
  list(): AsyncIterable<{ name: string; storedAt: number }>;
}
