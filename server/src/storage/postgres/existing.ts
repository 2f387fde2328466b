import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import type { PoolClient } from "pg";
import { ConfigError } from "../../config.ts";
import { type ExistingDatabase, firstWithRows, type ReplaceableDatabase } from "../existing.ts";
import { schemaOf } from "../migrate.ts";
import { tablesOfLatestSchema } from "../sqlite/existing.ts";
import type { Db } from "../storage.ts";
import { requireCompatible } from "./compatibility.ts";
import { fromClient, LOCKED_BEGIN } from "./driver.ts";
import { kysely } from "./engine.ts";
import { connect, openPool } from "./pool.ts";

/** Opens the database for reading, over one connection. */
export async function openExistingPostgres(url: string): Promise<ExistingDatabase> {
  const { client, close } = await openConnection(url);
  const read = kysely(fromClient(client), null);
  return {
    read,
    async snapshot(work) {
      await client.query("begin isolation level repeatable read read only");
      try {
        return await work(read);
      } finally {
        await client.query("rollback").catch(() => {});
      }
    },
    close,
  };
}

/** Prepares to replace the tables. Throws a {@link ConfigError} if a service or a command is connected. */
export async function openReplaceablePostgres(url: string): Promise<ReplaceableDatabase> {
  const { client, close } = await openConnection(url);
  try {
    const db = kysely(fromClient(client), null);
    await requireAlone(db);
    return {
      hasData: (await firstWithRows(db)) !== null,
      async replace(fill) {
        // A service that starts meanwhile waits for this lock before it looks at the schema.
        await client.query(LOCKED_BEGIN);
        try {
          await requireAlone(db);
          await dropTables(db);
          await fill(db);
          await client.query("commit");
        } catch (error) {
          await client.query("rollback").catch(() => {});
          throw error;
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openConnection(url: string): Promise<{ client: PoolClient; close(): Promise<void> }> {
  const pool = openPool({ url, connections: 1 });
  try {
    await requireCompatible(pool);
    const client = await connect(pool);
    const close = async () => {
      client.release();
      await pool.end();
    };
    return { client, close };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function requireAlone(db: Db): Promise<void> {
  let connections = await countOthers(db);
  // PostgreSQL lists a connection for some milliseconds after its client has closed it.
  for (let left = 20; connections > 0 && left > 0; left--) {
    await pause(100);
    connections = await countOthers(db);
  }
  if (connections > 0)
    throw new ConfigError(
      `Tandem has ${connections} other ${connections === 1 ? "connection" : "connections"} to this database: stop the service first.`,
    );
}

async function countOthers(db: Db): Promise<number> {
  const { rows } = await sql<{ connections: number }>`
    select count(*) as connections from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name')
      and pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.connections ?? 0;
}

/**
 * Drops all tables of a Tandem database, and the functions of their triggers. Throws if there are tables of others, or anything
 * that depends on Tandem's, such as a view.
 */
async function dropTables(tx: Db): Promise<void> {
  const tables = await tx.engine.catalog.tables(tx);
  if (tables.length === 0) return;
  const own = new Set([
    ...(await tablesOfLatestSchema()),
    DEFAULT_MIGRATION_TABLE,
    DEFAULT_MIGRATION_LOCK_TABLE,
  ]);
  const other = (await schemaOf(tx)) === null ? tables[0] : tables.find(({ name }) => !own.has(name));
  if (other) throw new ConfigError(`The database has tables that aren't Tandem's, such as ${other.name}.`);
  await sql`drop table ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx);
  const { rows } = await sql<{ signature: string }>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::text::regnamespace and prorettype = 'trigger'::regtype
      and proname like '%\\_stays'`.execute(tx);
  for (const { signature } of rows) await sql.raw(`drop function ${signature}`).execute(tx);
}
