import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { Kysely, sql } from "kysely";
import { ChangeBus, publishAfterCommit } from "../change-bus.ts";
import type { Engine } from "../engine.ts";
import { type Guard, migrate } from "../migrate.ts";
import type { Schema } from "../schema.ts";
import type { Db, Storage } from "../storage.ts";
import { catalog } from "./catalog.ts";
import { sqliteDialect } from "./driver.ts";
import { createTrigramIndex, trigramIndex } from "./search.ts";
import { Writer } from "./writer.ts";

export const sqliteEngine: Engine = {
  name: "sqlite",
  types: {
    id: sql`integer primary key autoincrement`,
    integer: sql`integer`,
    real: sql`real`,
    clustered: sql`without rowid`,
  },
  rowLocks: false,
  now: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  bytewise: sql`collate binary`,
  claim: async () => true,
  await: async () => {},
  bytes: (text) => sql`cast(${text} as blob)`,
  oneOf: (ids) => sql`select value as id from json_each(${JSON.stringify(ids)})`,
  rows(json, columns) {
    const values = Object.keys(columns).map((name) => sql`value->>${sql.lit(name)} as ${sql.ref(name)}`);
    return sql`select ${sql.join(values)} from json_each(${json})`;
  },
  // There is no replica that could be behind.
  position: sql`0`,
  catalog,
  postSearch: trigramIndex("post_search", { table: "post_texts", id: "post_id" }),
  creatorSearch: trigramIndex("creator_search", { table: "creator_texts", id: "creator_id" }),
  async createSearch(db) {
    await createTrigramIndex(db, "post_search");
    await createTrigramIndex(db, "creator_search");
  },
  async forbidChanges(db, table) {
    for (const change of ["update", "delete"])
      await sql`create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, 'what is recorded stays as it is'); end`.execute(db);
  },
  async reserveIds(tx, table, count) {
    // SQLite's own note of the last id of each table; a table that never had a row has none.
    const raised = sql<{
      seq: number;
    }>`update sqlite_sequence set seq = seq + ${count} where name = ${table} returning seq`;
    const [row] = (await raised.execute(tx)).rows;
    if (row) return row.seq - count + 1;
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`.execute(tx);
    return 1;
  },
  async drawIds(tx, table, count) {
    const first = await sqliteEngine.reserveIds(tx, table, count);
    return Array.from({ length: count }, (_, i) => first + i);
  },
};

/** How long the start waits for another process's lock, in milliseconds: it may be migrating the same file. */
const OPENING = 10_000;
/** How long a read does. SQLite waits without letting anything else run, and readers hardly ever meet a lock. */
const READING = 100;

export interface SqliteOptions {
  guard?: Guard;
  /** Whether rows come in any order, so that foreign keys can't be heeded. */
  loads?: boolean;
}

/** Opens the file, creating and migrating it as needed. An acknowledged write is on the disk (synchronous=FULL). */
export async function openSqlite(
  file: string,
  { guard, loads = false }: SqliteOptions = {},
): Promise<Storage> {
  mkdirSync(dirname(file), { recursive: true });
  const writing = connect(file);
  const write = kysely(writing);
  await migrate(write, guard).catch((error) => {
    writing.close();
    throw error;
  });
  // SQLite opens a file that it may only read without a word, and would fail at the first write.
  writing.exec("begin immediate; rollback");
  if (loads) writing.pragma("foreign_keys = off");
  // From here on the writer does the waiting.
  waitForLocks(writing, 0);
  const reading = connect(file);
  reading.pragma("query_only = on");
  waitForLocks(reading, READING);
  const writer = new Writer(writing, write);
  const changes = new ChangeBus();
  const read = kysely(reading);
  let trying: Promise<void> | null = null;
  return {
    read,
    recent: async () => read,
    replicas: () => [],
    write: (work) => publishAfterCommit(changes, (noted) => writer.write(noted), work),
    changes,
    async ready() {
      await read.selectFrom("users").select("id").limit(1).execute();
      if (!writer.failed) return;
      // However many ask at once, one try answers all.
      trying ??= writer.write(tryToWrite).finally(() => {
        trying = null;
      });
      await trying;
    },
    async close() {
      await writer.idle();
      reading.close();
      waitForLocks(writing, OPENING);
      writing.pragma("wal_checkpoint(truncate)");
      writing.close();
    },
  };
}

/**
 * Takes some room and gives it back. Whoever heeds readiness sends no writes while there is none, so that the
 * service must find out by itself when there is room again.
 */
async function tryToWrite(tx: Db): Promise<void> {
  const holder = "readiness";
  const row = { holder, key: "", fingerprint: "", answer: " ".repeat(2 ** 16), created_at: 0 };
  await tx.insertInto("idempotency").values(row).execute();
  await tx.deleteFrom("idempotency").where("holder", "=", holder).execute();
}

function connect(file: string): Database.Database {
  const database = new Database(file, { timeout: OPENING });
  turnJournal(database, Date.now() + OPENING);
  database.pragma("synchronous = full");
  database.pragma("foreign_keys = on");
  database.pragma("cache_size = -64000");
  database.pragma("mmap_size = 1073741824");
  database.pragma("temp_store = memory");
  return database;
}

/** Where two turn a new file's journal at once, one meets a lock that SQLite itself doesn't wait for. */
function turnJournal(database: Database.Database, until: number): void {
  for (;;)
    try {
      database.pragma("journal_mode = wal");
      return;
    } catch (err) {
      if (!String(err).includes("database is locked") || Date.now() > until) throw err;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
}

function waitForLocks(database: Database.Database, milliseconds: number): void {
  database.pragma(`busy_timeout = ${milliseconds}`);
}

function kysely(database: Database.Database): Db {
  return Object.assign(new Kysely<Schema>({ dialect: sqliteDialect(database) }), {
    engine: sqliteEngine,
    channels: new Set<string>(),
    counters: new Map<string, number>(),
  });
}
