import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { KEY_LENGTH } from "../config/parsers.ts";
import { ConfigError } from "../config.ts";
import { createDirectory } from "./create-directory.ts";
import { flushSync } from "./flush.ts";
import { ID_LENGTH, PREFIX, type SecretTable, secretColumns } from "./secrets.ts";
import type { Db, Storage } from "./storage.ts";

/** The file with the keys in `DATA_DIR`, one per line in base64, the current one first. */
const FILE = "secrets.key";
/** Rows that one transaction encrypts. */
const BATCH = 200;

/** The keys in a data directory; none if it has no such file. */
export function readKeys(dataDir: string): Buffer[] {
  const file = join(dataDir, FILE);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw new ConfigError(`${file} can't be read: ${(error as Error).message}.`, { cause: error });
  }
  const keys = text
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, "base64"));
  if (keys.every((key) => key.length === KEY_LENGTH)) return keys;
  throw new ConfigError(`${file} must contain ${KEY_LENGTH} bytes in base64. Restore it from a copy.`);
}

/** If two processes create the file at the same time, both use the first one's. */
function createKey(dataDir: string): Buffer[] {
  const written = writeBeside(dataDir, [randomBytes(KEY_LENGTH)]);
  try {
    linkSync(written, join(dataDir, FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(written);
  }
  flushSync(dataDir);
  return readKeys(dataDir);
}

/** Makes these keys known in a data directory, the first of them as the current one. Those that it had stay known. */
export function addKeys(dataDir: string, added: readonly Buffer[]): void {
  const old = readKeys(dataDir);
  const kept = old.filter((key) => !added.some((one) => one.equals(key)));
  if (added.length === 0) return;
  renameSync(writeBeside(dataDir, [...added, ...kept]), join(dataDir, FILE));
  flushSync(dataDir);
}

/** Writes keys to a temporary file, durably, and returns its path. */
function writeBeside(dataDir: string, keys: readonly Buffer[]): string {
  createDirectory(dataDir);
  const path = join(dataDir, `${FILE}.${process.pid}`);
  const text = keys.map((key) => `${key.toString("base64")}\n`).join("");
  writeFileSync(path, text, { mode: 0o600, flush: true });
  return path;
}

/**
 * Adds the keys in `DATA_DIR/secrets.key` to those of `SECRETS_KEY`, and makes sure that all stored secrets can be read. With SQLite, a
 * first key is created there if there is none at all. With PostgreSQL it isn't, because the other servers of a database wouldn't have
 * it. Encrypts secrets that aren't encrypted with the current key: another server may have written some since the last start. Throws
 * {@link ConfigError} if a key is missing.
 */
export async function prepareSecrets(
  { read, write }: Storage,
  dataDir: string,
  createsKey: boolean,
): Promise<void> {
  const { secrets } = read;
  // Before the file is read: another process creates it before it uses a key.
  const used = await keysInUse(read);
  secrets.add(readKeys(dataDir));
  const missing = used.find((id) => !secrets.hasKey(id));
  if (missing !== undefined)
    throw new ConfigError(
      `This database's secrets are encrypted with a key that is missing (${missing}). Add it to SECRETS_KEY, or restore DATA_DIR/${FILE}.`,
    );
  if (secrets.currentId === null && createsKey) secrets.add(createKey(dataDir));
  if (secrets.currentId === null) return;
  for (const [table, column] of secretsByColumn)
    for (let rows = await rowsToEncrypt(read, table, column); rows.length > 0; ) {
      await write(async (tx) => {
        for (const row of rows) await encryptRow(tx, table, column, row);
      });
      rows = await rowsToEncrypt(read, table, column);
    }
}

const secretsByColumn = (Object.keys(secretColumns) as SecretTable[]).flatMap((table) =>
  secretColumns[table].columns.map((column) => [table, column] as const),
);

/** The ids of the keys that stored secrets are encrypted with. Reads these tables whole. */
export async function keysInUse(db: Db): Promise<string[]> {
  const ids = new Set<string>();
  for (const [table, column] of secretsByColumn) {
    // Backups are also made of databases of earlier versions.
    if (!(await db.engine.catalog.has(db, table))) continue;
    const { rows } = await sql<{ id: string }>`
      select distinct substr(${sql.ref(column)}, ${sql.lit(PREFIX.length + 2)}, ${sql.lit(ID_LENGTH)}) as id
      from ${sql.table(table)} where ${sql.ref(column)} like ${`${PREFIX}.%`}`.execute(db);
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

interface SecretRow {
  id: string | number;
  secret: string;
}

async function rowsToEncrypt(db: Db, table: SecretTable, column: string): Promise<SecretRow[]> {
  const { rows } = await sql<SecretRow>`
    select ${sql.ref(secretColumns[table].key)} as id, ${sql.ref(column)} as secret from ${sql.table(table)}
    where ${sql.ref(column)} not like ${`${PREFIX}.${db.secrets.currentId}.%`} limit ${sql.lit(BATCH)}`.execute(
    db,
  );
  return rows;
}

/** Does nothing if another process has changed the secret since it was read. */
async function encryptRow(tx: Db, table: SecretTable, column: string, { id, secret }: SecretRow) {
  const encrypted = tx.secrets.encrypt(table, tx.secrets.decrypt(table, secret));
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${encrypted}
    where ${sql.ref(secretColumns[table].key)} = ${id} and ${sql.ref(column)} = ${secret}`.execute(tx);
}
