import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DiskOperation } from "./disk-trace.ts";

/** Bytes that a disk writes whole or not at all. */
const SECTOR = 512;

/** How much of what was never flushed a power cut leaves. */
export type Survival = "nothing" | "everything" | "some";

type Change = { bytes: Buffer; offset: number } | { size: number };

/** A file's content. Its names are in directories. */
class File {
  #flushed = Buffer.alloc(0);
  #length = 0;
  #pending: Change[] = [];
  /** Where a write without an offset goes. */
  end = 0;

  change(change: Change): void {
    this.#pending.push(change);
    if ("bytes" in change) this.end = change.offset + change.bytes.length;
  }

  flush(): void {
    for (const change of this.#pending) this.#apply(change);
    this.#pending = [];
  }

  /** All of it, as programs see it. */
  content(): Buffer {
    return this.after("everything");
  }

  after(survival: Survival): Buffer {
    const copy = new File();
    copy.#flushed = Buffer.from(this.#flushed.subarray(0, this.#length));
    copy.#length = this.#length;
    for (const change of this.#pending)
      if (survival === "everything") copy.#apply(change);
      else if (survival === "some") for (const part of survivors(change)) copy.#apply(part);
    return copy.#flushed.subarray(0, copy.#length);
  }

  #apply(change: Change): void {
    if ("size" in change) {
      this.#reserve(change.size);
      this.#flushed.fill(0, change.size, this.#length);
      this.#length = change.size;
      return;
    }
    const end = change.offset + change.bytes.length;
    this.#reserve(end);
    change.bytes.copy(this.#flushed, change.offset);
    this.#length = Math.max(this.#length, end);
  }

  #reserve(size: number): void {
    if (size <= this.#flushed.length) return;
    const larger = Buffer.alloc(size * 2);
    this.#flushed.copy(larger);
    this.#flushed = larger;
  }
}

/** A random part of a write, in whole sectors of the disk. */
function survivors(change: Change): Change[] {
  const luck = Math.random();
  if (luck < 0.4) return [];
  if (luck < 0.8 || !("bytes" in change)) return [change];
  const { bytes, offset } = change;
  const parts: Change[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, (Math.floor((offset + from) / SECTOR) + 1) * SECTOR - offset);
    if (Math.random() < 0.5) parts.push({ bytes: bytes.subarray(from, to), offset: offset + from });
    from = to;
  }
  return parts;
}

type Entry = File | "directory";

/** Names that were added or removed together. */
interface Renaming {
  /** The directories that have to be flushed for it to be certain. One is enough: a file system does it as a whole. */
  directories: string[];
  entries: [path: string, entry: Entry | null][];
}

/**
 * A disk that keeps only what was flushed, by the letter of POSIX: `fsync` of a file keeps its bytes, but its name only once its
 * directory was flushed. Of the rest it keeps any part: sectors of writes in any order, names in their order.
 */
export class Disk {
  readonly #root: string;
  readonly #now = new Map<string, Entry>();
  readonly #flushed = new Map<string, Entry>();
  #pending: Renaming[] = [];

  constructor(root: string) {
    this.#root = root;
    for (const names of [this.#now, this.#flushed]) names.set(root, "directory");
  }

  apply(operation: DiskOperation): void {
    const { kind, path } = operation;
    const entry = this.#now.get(path);
    switch (kind) {
      case "create":
        if (entry === undefined) this.#rename([[path, new File()]]);
        else if (operation.empty) this.#file(path)?.change({ size: 0 });
        this.#rewind(path);
        break;
      case "write": {
        const file = this.#file(path);
        file?.change({ bytes: operation.bytes, offset: operation.offset ?? file.end });
        break;
      }
      case "copy":
        this.#file(path)?.change({
          bytes: this.#file(operation.from)?.content() ?? Buffer.alloc(0),
          offset: 0,
        });
        break;
      case "resize":
        this.#file(path)?.change({ size: operation.size });
        break;
      case "sync":
        if (entry === "directory") this.#flush(path);
        else entry?.flush();
        break;
      case "link":
        this.#rename([[path, this.#now.get(operation.from) ?? null]]);
        break;
      case "rename":
        this.#rename([
          [path, this.#now.get(operation.from) ?? null],
          [operation.from, null],
        ]);
        break;
      case "remove":
        this.#rename([[path, null]]);
        break;
      case "mkdir":
        this.#rename([[path, "directory"]]);
        break;
    }
  }

  /** Writes the files that a power cut leaves into a directory. */
  async cutPower(survival: Survival, into: string): Promise<void> {
    const names = new Map(this.#flushed);
    const kept = { nothing: 0, some: Math.floor(Math.random() * (this.#pending.length + 1)) };
    const renamings = survival === "everything" ? this.#pending : this.#pending.slice(0, kept[survival]);
    for (const { entries } of renamings) set(names, entries);
    for (const [path, entry] of names) {
      if (!this.#isReachable(names, path)) continue;
      const target = join(into, path.slice(this.#root.length));
      if (entry === "directory") await mkdir(target, { recursive: true });
      // An index of the log in shared memory. SQLite makes a new one.
      else if (!path.endsWith("-shm")) {
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, entry.after(survival));
      }
    }
  }

  #isReachable(names: Map<string, Entry>, path: string): boolean {
    return path === this.#root || (names.has(dirname(path)) && this.#isReachable(names, dirname(path)));
  }

  #file(path: string): File | null {
    const entry = this.#now.get(path);
    return entry instanceof File ? entry : null;
  }

  #rewind(path: string): void {
    const file = this.#file(path);
    if (file) file.end = 0;
  }

  #rename(entries: Renaming["entries"]): void {
    set(this.#now, entries);
    this.#pending.push({ directories: entries.map(([path]) => dirname(path)), entries });
  }

  #flush(directory: string): void {
    for (const { directories, entries } of this.#pending)
      if (directories.includes(directory)) set(this.#flushed, entries);
    this.#pending = this.#pending.filter(({ directories }) => !directories.includes(directory));
  }
}

function set(names: Map<string, Entry>, entries: Renaming["entries"]): void {
  for (const [path, entry] of entries)
    if (entry === null) names.delete(path);
    else names.set(path, entry);
}
