import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { type Dump, dump } from "@tandem/testing/dump";
import { makeEdgeCaseDatabase } from "@tandem/testing/edge-case-db";
import { createDatabase } from "@tandem/testing/postgres";
import { copyDatabase } from "@tandem/testing/sqlite";
import { temporaryDirectory } from "@tandem/testing/storage";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasUnfinishedMove } from "../../storage/migration-marker.ts";
import { openForBulkLoad, openStorage } from "../../storage/open.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { requireEmptyTarget } from "./empty-target.ts";
import { move } from "./move.ts";

/** A database's location, as in the settings. */
type StorageLocation = Parameters<typeof openStorage>[0];

let database: Awaited<ReturnType<typeof temporaryDirectory>>;
let original: Dump;
const batch = 64;

beforeAll(async () => {
  database = await temporaryDirectory();
  await makeEdgeCaseDatabase(database.path, 40);
  // A migration resets positions, which have no meaning in another database.
  await withStorage(openStorage(inDirectory(database.path)), ({ write }) =>
    write((tx) => tx.updateTable("quota_windows").set({ position: 0 }).execute()),
  );
  original = await dumpOf(inDirectory(database.path));
});

afterAll(() => database[Symbol.asyncDispose]());

/** A migration copies secrets as they are stored, so both sides need the same key. */
const secretKeys = [Buffer.alloc(32, "key")];
const inDirectory = (dataDir: string): StorageLocation => ({ dataDir, database: null, secretKeys });
const onServer = (url: string): StorageLocation => ({
  dataDir: "",
  secretKeys,
  database: { url, connections: 2, prepares: true },
});

async function withStorage<T>(opening: Promise<Storage>, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await opening;
  return work(storage).finally(() => storage.close());
}

/** All tables except search indexes, whose stored form may differ. */
function dumpOf(place: StorageLocation): Promise<Dump> {
  return withStorage(openStorage(place), async (storage) => {
    const all = Object.entries(await dump(storage));
    return Object.fromEntries(all.filter(([name]) => !/^(post|creator)_search/.test(name)));
  });
}

type Options = Parameters<typeof move>[2];

/** Migrates from one location to the other. `through` can wrap the target to make it fail. */
function moveFrom(
  from: StorageLocation,
  to: StorageLocation,
  {
    through = (target: Storage) => target,
    ...options
  }: Options & { through?: (to: Storage) => Storage } = {},
) {
  return withStorage(openStorage(from), (source) =>
    withStorage(openForBulkLoad(to, requireEmptyTarget(source.read)), (target) =>
      move(source, through(target), { batch, ...options }),
    ),
  );
}

async function emptyDatabase(
  engine: "sqlite" | "postgres",
): Promise<AsyncDisposable & { place: StorageLocation }> {
  if (engine === "postgres") {
    const database = await createDatabase();
    return Object.assign(database, { place: onServer(database.url) });
  }
  const directory = await temporaryDirectory();
  // Like the other, it has the schema already; `migrate.test.ts` has a target that doesn't exist yet.
  await copyDatabase(directory.path);
  return Object.assign(directory, { place: inDirectory(directory.path) });
}

const lastIds = (place: StorageLocation) =>
  withStorage(openStorage(place), async ({ read }) => {
    const ids = await read.engine.catalog.lastIds(read);
    return Object.fromEntries([...ids].filter(([, id]) => id > 0).sort());
  });

test("a database with a row in every table survives a migration to the other engine and back, except positions of writes", async () => {
  for (const [table, rows] of Object.entries(original)) expect(rows, table).not.toEqual([]);
  await using source = await temporaryDirectory();
  await cp(database.path, source.path, { recursive: true });
  await withStorage(openStorage(inDirectory(source.path)), ({ write }) =>
    write((tx) => tx.updateTable("quota_windows").set({ position: 77 }).execute()),
  );
  await using there = await emptyDatabase("postgres");
  await using back = await emptyDatabase("sqlite");
  const moved = await moveFrom(inDirectory(source.path), there.place);
  expect(moved.tables).toBe(Object.keys(original).length);
  expect(await dumpOf(there.place)).toEqual(original);
  expect(await lastIds(there.place)).toEqual(await lastIds(inDirectory(database.path)));
  expect(await moveFrom(there.place, back.place)).toEqual(moved);
  expect(await dumpOf(back.place)).toEqual(original);
  expect(await lastIds(back.place)).toEqual(await lastIds(inDirectory(database.path)));
});

/** Indexes, keys and constraints, as the engine describes them. */
function schemaOf(place: StorageLocation): Promise<unknown> {
  return withStorage(openStorage(place), async ({ read }) => {
    const definitions = {
      sqlite: sql`select sql from sqlite_master where sql is not null order by sql`,
      postgres: sql`
        select indexdef as sql from pg_indexes where schemaname = 'public' union all
        select concat(conrelid::regclass, ' ', pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace order by sql`,
    };
    return (await definitions[read.engine.name].execute(read)).rows;
  });
}

test.each(["sqlite", "postgres"] as const)("restores every index and foreign key on %s", async (engine) => {
  await using target = await emptyDatabase(engine);
  await using untouched = await emptyDatabase(engine);
  await moveFrom(inDirectory(database.path), target.place);
  expect(await schemaOf(target.place)).toEqual(await schemaOf(untouched.place));
});

/** Wraps a storage so that its nth write fails before it begins, before its commit or after it. */
function interrupted(target: Storage, number: number, when: "before" | "within" | "after"): Storage {
  let left = number;
  const write: Storage["write"] = async (work) => {
    const fails = left === 0;
    left -= 1;
    if (fails && when === "before") throw INTERRUPTION;
    const value = await target.write(async (tx) => {
      const done = await work(tx);
      if (fails && when === "within") throw INTERRUPTION;
      return done;
    });
    if (fails) throw INTERRUPTION;
    return value;
  };
  return { ...target, write };
}

const INTERRUPTION = new Error("interrupted");

describe.each(["sqlite", "postgres"] as const)("an interrupted migration to %s", (engine) => {
  test("isn't served, and resumes at any point without losing or duplicating rows", async () => {
    const when = fc.constantFrom("before" as const, "within" as const, "after" as const);
    const interruption = fc.record({ number: fc.nat(80), when });
    const property = fc.asyncProperty(
      fc.array(interruption, { minLength: 1, maxLength: 2 }),
      async (interruptions) => {
        await using target = await emptyDatabase(engine);
        let begun = false;
        for (const { number, when } of interruptions) {
          const through = (storage: Storage) => interrupted(storage, number, when);
          const fault = await moveFrom(inDirectory(database.path), target.place, { through }).catch((e) => e);
          begun ||= number > 0 || when === "after";
          const opened = await withStorage(openStorage(target.place), async () => "opened").catch(
            (e) => e.message,
          );
          if (opened !== "opened") {
            const sentence = expect.stringMatching(/hasn't finished/);
            expect([fault, begun, opened]).toEqual([INTERRUPTION, true, sentence]);
          } else if (begun) {
            // It had finished before that write or with it, so it is served completely.
            expect(await dumpOf(target.place)).toEqual(original);
            return;
          }
        }
        await moveFrom(inDirectory(database.path), target.place);
        expect(await dumpOf(target.place)).toEqual(original);
      },
    );
    await fc.assert(property, { numRuns: engine === "sqlite" ? 6 : 3 });
  });

  test("resumes after SIGKILL in the middle of a batch", async () => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    await using target = await emptyDatabase(engine);
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", killed], {
      cwd: join(import.meta.dirname, "../../../.."),
      env: { PATH, NODE_COMPILE_CACHE, FROM: database.path, TO: JSON.stringify(target.place) },
    });
    expect(signal).toBe("SIGKILL");
    await expect(openStorage(target.place)).rejects.toThrow("hasn't finished");
    await moveFrom(inDirectory(database.path), target.place);
    expect(await dumpOf(target.place)).toEqual(original);
  });

  test("fails one of two migrations that run at the same time", async () => {
    await using target = await emptyDatabase(engine);
    let alone = true;
    const through = (storage: Storage): Storage => ({
      ...storage,
      async write(work) {
        if (alone && (await hasUnfinishedMove(storage.read))) {
          alone = false;
          const overtaking = moveFrom(inDirectory(database.path), target.place, {
            through: (other) => interrupted(other, 8, "before"),
          });
          await expect(overtaking).rejects.toBe(INTERRUPTION);
        }
        return storage.write(work);
      },
    });
    const overtaken = moveFrom(inDirectory(database.path), target.place, { through });
    await expect(overtaken).rejects.toThrow("Another migration into this target is running.");
    await moveFrom(inDirectory(database.path), target.place);
    expect(await dumpOf(target.place)).toEqual(original);
  });
});

const killed = `
  import { openStorage, openForBulkLoad } from "./server/src/storage/open.ts";
  import { move } from "./server/src/cli/migrate/move.ts";
  const source = await openStorage({ dataDir: process.env.FROM, database: null, secretKeys: [Buffer.alloc(32, "key")] });
  const target = await openForBulkLoad(JSON.parse(process.env.TO), async () => {});
  let writes = 0;
  const write = (work) => target.write(async (tx) => {
    await work(tx);
    if (++writes === 12) process.kill(process.pid, "SIGKILL");
  });
  await move(source, { ...target, write }, { batch: 64 });
`;

describe.each(["sqlite", "postgres"] as const)("a migration to %s isn't finished", (engine) => {
  /** Copies everything and stops before the comparison. */
  async function copyAll(from: StorageLocation, to: StorageLocation): Promise<void> {
    const onProgress = (what: string, total: number, done: number) => {
      if (what === "rows copied" && done === total) throw INTERRUPTION;
    };
    await expect(moveFrom(from, to, { onProgress })).rejects.toBe(INTERRUPTION);
  }

  const within = (place: StorageLocation, change: (tx: Db) => Promise<unknown>) =>
    withStorage(
      openForBulkLoad(place, async () => {}),
      (storage) => storage.write(change),
    );

  const one = (table: string) => sql`select min(id) from ${sql.table(table)}`;
  const changes: Record<string, (tx: Db) => Promise<unknown>> = {
    // Another text.
    comments: (tx) => sql`update comments set body = 'x' where id = (${one("comments")})`.execute(tx),
    // An empty text instead of null.
    users: (tx) => sql`update users set bio = '' where bio is null`.execute(tx),
    // Another number.
    posts: (tx) => sql`update posts set hot_rank = 0.25 where id = (${one("posts")})`.execute(tx),
    // A missing row.
    follows: (tx) =>
      sql`delete from follows where creator_id = (select min(creator_id) from follows)`.execute(tx),
    // An extra row.
    sources: (tx) =>
      tx
        .insertInto("sources")
        .values({ id: 2 ** 40, platform: "rss", name: "", community: null })
        .execute(),
  };
  const changedTables = Object.keys(changes).sort();

  test("if the target differs; it reports the tables and repairs them on the next run", async () => {
    await using target = await emptyDatabase(engine);
    await copyAll(inDirectory(database.path), target.place);
    for (const change of Object.values(changes)) await within(target.place, change);
    const fault = await moveFrom(inDirectory(database.path), target.place).catch((error) => error);
    const reported = [...String(fault.message).matchAll(/^(\w+): the target/gm)].map(([, table]) => table);
    expect(reported.sort()).toEqual(changedTables);
    expect(fault.message).toContain("\nThe migration isn't complete");
    await expect(openStorage(target.place)).rejects.toThrow("hasn't finished");
    await moveFrom(inDirectory(database.path), target.place);
    expect(await dumpOf(target.place)).toEqual(original);
  });

  test("if a row references a missing one", async () => {
    await using source = await temporaryDirectory();
    await using target = await emptyDatabase(engine);
    await cp(database.path, source.path, { recursive: true });
    await within(inDirectory(source.path), (tx) =>
      sql`update comments set user_id = 999999 where id = 1`.execute(tx),
    );
    await expect(moveFrom(inDirectory(source.path), target.place)).rejects.toThrow(
      engine === "sqlite" ? /^Rows of comments reference missing rows/ : /comments.*foreign key/,
    );
    await expect(openStorage(target.place)).rejects.toThrow("hasn't finished");
  });

  test("if the source changed meanwhile; it reports this and repairs it on the next run", async () => {
    await using source = await temporaryDirectory();
    await using target = await emptyDatabase(engine);
    await cp(database.path, source.path, { recursive: true });
    await copyAll(inDirectory(source.path), target.place);
    for (const change of Object.values(changes)) await within(inDirectory(source.path), change);
    const fault = await moveFrom(inDirectory(source.path), target.place).catch((error) => error);
    const reported = [...String(fault.message).matchAll(/^(\w+): the source has changed/gm)];
    expect(reported.map(([, table]) => table)).toEqual(changedTables);
    await moveFrom(inDirectory(source.path), target.place);
    expect(await dumpOf(target.place)).toEqual(await dumpOf(inDirectory(source.path)));
  });
});
