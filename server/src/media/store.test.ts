import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { MINUTE } from "@tandem/contract/durations";
import { startS3 } from "@tandem/testing/s3";
import { temporaryDirectory } from "@tandem/testing/storage";
import { type StoreName, stores } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { Overloaded } from "../storage/storage.ts";
import { nameFor } from "./names.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";

interface Opened extends AsyncDisposable {
  store: Store;
  incoming: string;
  put(content: Buffer): Promise<string>;
}

async function opened(kind: StoreName): Promise<Opened> {
  const directory = await temporaryDirectory();
  const s3 = kind === "s3" ? await startS3() : null;
  const config = readConfig({ DATA_DIR: directory.path, ...(s3 && { MEDIA_URL: s3.mediaUrl }) });
  const incoming = join(directory.path, "incoming");
  const store = openStore(config, incoming);
  return {
    store,
    incoming,
    async put(content) {
      const path = join(incoming, randomBytes(8).toString("hex"));
      await mkdir(incoming, { recursive: true });
      await writeFile(path, content);
      const name = nameFor(randomBytes(32), "mp4");
      await store.put(name, path);
      return name;
    },
    async [Symbol.asyncDispose]() {
      await s3?.[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function read(store: Store, name: string, range?: { first: number; last: number }) {
  await using file = await store.open(name);
  return file && buffer(await file.stream(range));
}

async function names(store: Store): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of store.list()) found.push(name);
  return found.sort();
}

describe.each(stores)("the store on %s", (kind) => {
  test("returns files whole and in part", async () => {
    await using on = await opened(kind);
    // Several parts of a multipart upload, the last of them smaller.
    for (const content of [Buffer.from("x"), randomBytes(100_000), randomBytes(12 * 2 ** 20 + 7)]) {
      const name = await on.put(content);
      const last = content.length - 1;
      expect((await read(on.store, name))?.equals(content)).toBe(true);
      expect((await read(on.store, name, { first: last, last }))?.equals(content.subarray(last))).toBe(true);
      const middle = { first: last >> 1, last };
      expect((await read(on.store, name, middle))?.equals(content.subarray(last >> 1))).toBe(true);
      await using file = await on.store.open(name);
      expect(file?.bytes).toBe(content.length);
    }
  });

  test("provides a file on the local disk", async () => {
    await using on = await opened(kind);
    const name = await on.put(Buffer.from("content"));
    const { readFile } = await import("node:fs/promises");
    expect(String(await on.store.withFile(name, (path) => readFile(path)))).toBe("content");
    expect(await on.store.withFile(nameFor(randomBytes(32), "mp4"), async () => "found")).toBe(null);
  });

  test("lists files with their times, without deleted ones", async () => {
    await using on = await opened(kind);
    expect(await names(on.store)).toEqual([]);
    const [first, second] = [await on.put(Buffer.from("1")), await on.put(Buffer.from("2"))];
    expect(await names(on.store)).toEqual([first, second].sort());
    for await (const { storedAt } of on.store.list())
      expect(Math.abs(Date.now() - storedAt)).toBeLessThan(MINUTE);
    await on.store.remove([first, nameFor(randomBytes(32), "webp")]);
    expect(await names(on.store)).toEqual([second]);
    expect(await on.store.open(first)).toBe(null);
    expect((await readdir(on.incoming)).filter((name) => name.startsWith("work-"))).toEqual([]);
  });
});

test("the store and uploads can be on different disks", async () => {
  const [directory, media] = [await mkdtemp(join(tmpdir(), "tandem-")), await mkdtemp("/dev/shm/tandem-")];
  try {
    await symlink(media, join(directory, "media"));
    const path = join(directory, "sent");
    await writeFile(path, "content");
    expect((await stat(path)).dev).not.toBe((await stat(media)).dev);
    const store = openStore(readConfig({ DATA_DIR: directory }), directory);
    const name = nameFor(randomBytes(32), "mp4");
    await store.put(name, path);
    expect(String(await read(store, name))).toBe("content");
    expect(await names(store)).toEqual([name]);
  } finally {
    for (const one of [directory, media]) await rm(one, { recursive: true });
  }
});

test("an unavailable S3 is reported as Overloaded", async () => {
  await using directory = await temporaryDirectory();
  const s3 = await startS3();
  const store = openStore(readConfig({ DATA_DIR: directory.path, MEDIA_URL: s3.mediaUrl }), directory.path);
  await s3[Symbol.asyncDispose]();
  await expect(store.open(nameFor(randomBytes(32), "mp4"))).rejects.toThrow(Overloaded);
});
