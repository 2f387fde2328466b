import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { type CompiledQuery, Kysely, sql } from "kysely";
import { ChangeBus, publishAfterCommit } from "../change-bus.ts";
import { createDirectory } from "../create-directory.ts";
import type { Engine } from "../engine.ts";
import { type BeforeMigration, migrate } from "../migrate.ts";
import type { Schema } from "../schema.ts";
import { SecretBox } from "../secrets.ts";
import { type Db, dbOf, type RunQuery, type Storage } from "../storage.ts";
import { catalog } from "./catalog.ts";
import { type ConvertError, SqliteConnection, sqliteDialect } from "./driver.ts";
import { newestOfDisjoint } from "./newest-of-disjoint.ts";
import { OpenFile } from "./open-file.ts";
import { createTrigramIndex, trigramIndex } from "./search.ts";
import { SharedRead } from "./shared-read.ts";
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
  binaryCollation: sql`collate binary`,
  tryLock: async () => true,
  lock: async () => {},
  bytes: (text) => sql`cast(${text} as blob)`,
  oneOf: (ids) => sql`select value as id from json_each(${JSON.stringify(ids)})`,
  jsonRows(json, columns) {
    const values = Object.keys(columns).map((name) => sql`value->>${sql.lit(name)} as ${sql.ref(name)}`);
    return sql`select ${sql.join(values)} from json_each(${json})`;
  },
  newestOfDisjoint,
  // It has no lateral joins.
  withPostsOfEach: (rows, ids) => sql`from ${rows} cross join posts found where found.id in (${ids})`,
  oneRow(values, columns) {
    const named = Object.keys(columns) as (keyof typeof columns)[];
    return sql`select ${sql.join(named.map((name) => sql`${values[name]} as ${sql.ref(name)}`))}`;
  },
  // SQLite has no replicas.
  position: sql`0`,
  // It has one writer.
  haveEnded: async () => true,
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
        begin select raise(abort, 'this table is append-only'); end`.execute(db);
  },
  async reserveIds(tx, table, count) {
    // SQLite records the last id of each table here, once the table has had a row.
    const raised = sql<{
      seq: number;
    }>`update sqlite_sequence set seq = seq + ${count} where name = ${table} returning seq`;
    const [row] = (await raised.execute(tx)).rows;
    if (row) return row.seq - count + 1;
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`.execute(tx);
    return 1;
  },
  async nextIds(tx, table, count) {
    const first = await sqliteEngine.reserveIds(tx, table, count);
    return Array.from({ length: count }, (_, i) => first + i);
  },
};

/** Milliseconds that opening waits for a lock: another process may be migrating the same file. */
const LOCK_TIMEOUT = 10_000;
/** Milliseconds that a read waits for a lock. Short, because SQLite blocks the thread; reads hardly ever have to wait. */
const READ_TIMEOUT = 100;
/** Milliseconds that readiness waits for its probe. Less than a write may wait, because health checks give up early. */
const PROBE_TIMEOUT = 250;

export interface SqliteOptions {
  beforeMigration?: BeforeMigration;
  /** Whether rows will be inserted in any order, so that foreign keys can't be enforced. */
  bulkLoad?: boolean;
  /** Default: secrets are stored as they are. */
  secrets?: SecretBox;
}

/** Opens the file, creating and migrating it if needed. Acknowledged writes are on the disk (synchronous=FULL). */
export async function openSqlite(
  file: string,
  { beforeMigration, bulkLoad = false, secrets = new SecretBox([]) }: SqliteOptions = {},
): Promise<Storage> {
  createDirectory(dirname(file));
  const writing = connect(file);
  let openFile: OpenFile | undefined;
  const convert: ConvertError = (error) => (openFile ? openFile.convert(error) : error);
  const write = kysely(writing, secrets, convert);
  await migrate(write, beforeMigration).catch((error) => {
    writing.close();
    throw error;
  });
  // SQLite opens a read-only file without an error, and would fail only at the first write.
  writing.exec("begin immediate; rollback");
  if (bulkLoad) writing.pragma("foreign_keys = off");
  // From here on the writer waits for locks itself, without blocking the thread.
  waitForLocks(writing, 0);
  const reading = connect(file);
  // What is mapped needs no cache. With 64 MB, a million posts took 28 MiB more for reads and 47 for writes, and requests took no less time.
  // Bulk loads keep 64 MB, because they change more pages at once.
  for (const each of bulkLoad ? [reading] : [reading, writing]) each.pragma("cache_size = -16000");
  reading.pragma("query_only = on");
  waitForLocks(reading, READ_TIMEOUT);
  const sharedRead = new SharedRead(reading);
  const read = kysely(reading, secrets, convert, () => sharedRead.begin());
  await read.selectFrom("users").select("id").limit(1).execute();
  openFile = new OpenFile(file);
  const writer = new Writer(writing, write, openFile, sharedRead.end);
  const changes = new ChangeBus();
  let probe: Promise<void> | null = null;
  const version = () => {
    try {
      return sharedRead.version;
    } catch (error) {
      throw convert(error);
    }
  };
  return {
    read,
    recent: async () => read,
    replicas: () => [],
    write: (work) => publishAfterCommit(changes, (wrapped) => writer.write(wrapped), work),
    beforeBatch(run) {
      writer.beforeBatch = run;
    },
    writeQueue: () => writer.waiting,
    connections: () => [],
    async sizes() {
      const [database, log] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)]);
      return { database, log };
    },
    version,
    askVersion: async () => version(),
    freshen: () => sharedRead.freshen(),
    changes,
    async ready() {
      openFile.check();
      await read.selectFrom("users").select("id").limit(1).execute();
      openFile.inspect();
      if (!writer.failure) return;
      // Concurrent callers share one probe.
      probe ??= writer.write(probeWrite).finally(() => {
        probe = null;
      });
      const late = pause(PROBE_TIMEOUT, undefined, { ref: false });
      const checkLate = late.then(() => {
        // Other writes may have succeeded meanwhile.
        if (writer.failure) throw writer.failure;
      });
      await Promise.race([probe, checkLate]);
    },
    async close() {
      await writer.idle();
      sharedRead.end();
      reading.close();
      waitForLocks(writing, LOCK_TIMEOUT);
      if (openFile.isSound) mergeLog(writing);
      writing.close();
    },
  };
}

/** Merges the write-ahead log into the file, if the disk allows it. Otherwise the log stays, and the next start reads it. */
function mergeLog(database: Database.Database): void {
  try {
    database.pragma("wal_checkpoint(truncate)");
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

/**
 * Writes and deletes 64 KB. While the service isn't ready, load balancers send it no writes, so it must find out by
 * itself when writing works again.
 */
async function probeWrite(tx: Db): Promise<void> {
  const holder = "readiness";
  const row = { holder, key: "", fingerprint: "", answer: " ".repeat(2 ** 16), created_at: 0 };
  await tx.insertInto("idempotency").values(row).execute();
  await tx.deleteFrom("idempotency").where("holder", "=", holder).execute();
}

function connect(file: string): Database.Database {
  const database = new Database(file, { timeout: LOCK_TIMEOUT });
  enableWal(database, Date.now() + LOCK_TIMEOUT);
  database.pragma("synchronous = full");
  database.pragma("foreign_keys = on");
  database.pragma("cache_size = -64000");
  // The most that SQLite maps. What lies beyond is read into its cache.
  database.pragma("mmap_size = 2147418112");
  database.pragma("temp_store = memory");
  return database;
}

/** Retries, because SQLite doesn't wait for the lock if two processes enable WAL on a new file at the same time. */
function enableWal(database: Database.Database, until: number): void {
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

/**
 * A Kysely instance over one connection.
 *
 * @param begin called before each statement
 */
export function kysely(
  database: Database.Database,
  secrets = new SecretBox([]),
  convert: ConvertError = (error) => error,
  begin?: () => void,
): Db {
  const connection = new SqliteConnection(database, convert, begin);
  const run: RunQuery = async <Row>(query: CompiledQuery<Row>) =>
    (await connection.executeQuery<Row>(query)).rows;
  return dbOf(new Kysely<Schema>({ dialect: sqliteDialect(connection) }), sqliteEngine, secrets, run);
}
