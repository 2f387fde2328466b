import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { ConfigError } from "../config.ts";
import { KEY_LENGTH, SecretBox, type SecretTable, secretColumns } from "./secrets.ts";
import type { Db, Storage } from "./storage.ts";

/** The file with the keys in `DATA_DIR`, one per line in base64, the current one first. */
const FILE = "secrets.key";
/** In the table `secret_keys`: some secrets may not be encrypted. */
const UNENCRYPTED = "none";
/** Rows that one transaction encrypts. */
const BATCH = 200;

/**
 * The keys for stored secrets: those of `SECRETS_KEY`, then those in `DATA_DIR/secrets.key`. With SQLite, a first key is
 * created there if there is none at all. With PostgreSQL it isn't, because the other servers of a database wouldn't have it.
 */
export function openSecrets(given: readonly Buffer[], dataDir: string, create: boolean): SecretBox {
  const keys = [...given, ...readKeys(dataDir)];
  if (keys.length === 0 && create) keys.push(...createKey(dataDir));
  return new SecretBox(keys);
}

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
  return readKeys(dataDir);
}

/** Makes these keys known in a data directory, the first of them as the current one. Those that it had stay known. */
export function addKeys(dataDir: string, added: readonly Buffer[]): void {
  const old = readKeys(dataDir);
  const kept = old.filter((key) => !added.some((one) => one.equals(key)));
  if (added.length === 0) return;
  renameSync(writeBeside(dataDir, [...added, ...kept]), join(dataDir, FILE));
}

/** Writes keys to a temporary file, durably, and returns its path. */
function writeBeside(dataDir: string, keys: readonly Buffer[]): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, `${FILE}.${process.pid}`);
  const text = keys.map((key) => `${key.toString("base64")}\n`).join("");
  writeFileSync(path, text, { mode: 0o600, flush: true });
  return path;
}

/**
 * Makes sure that all stored secrets can be read, and encrypts those that aren't encrypted with the current key. Throws
 * {@link ConfigError} if a key is missing.
 */
export async function encryptStored({ read, write }: Storage): Promise<void> {
  const { secrets } = read;
  const used = await read.selectFrom("secret_keys").select("id").execute();
  const missing = used.find(({ id }) => id !== UNENCRYPTED && !secrets.hasKey(id));
  if (missing)
    throw new ConfigError(
      `This database's secrets are encrypted with a key that is missing (${missing.id}). Add it to SECRETS_KEY, or restore DATA_DIR/${FILE}.`,
    );
  const { currentId } = secrets;
  if (currentId === null || (used.length === 1 && used[0]?.id === currentId)) return;
  // Until all secrets are encrypted with it, the table also says that some may not be.
  const ids = [{ id: currentId }, { id: UNENCRYPTED }];
  await write((tx) =>
    tx
      .insertInto("secret_keys")
      .values(ids)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute(),
  );
  for (const table of Object.keys(secretColumns) as SecretTable[]) await encryptTable({ read, write }, table);
  await write((tx) => tx.deleteFrom("secret_keys").where("id", "!=", currentId).execute());
}

async function encryptTable({ read, write }: Pick<Storage, "read" | "write">, table: SecretTable) {
  for (let rows = await rowsAfter(read, table, null); rows.length > 0; ) {
    await write(async (tx) => {
      for (const row of rows) await encryptRow(tx, table, row);
    });
    rows = await rowsAfter(read, table, rows.at(-1)?.id ?? null);
  }
}

/** A row's primary key as `id`, and its secrets by column. */
type SecretRow = Record<string, string | number | null>;

async function rowsAfter(db: Db, table: SecretTable, after: SecretRow[string]): Promise<SecretRow[]> {
  const { key, columns } = secretColumns[table];
  const from = after === null ? sql`` : sql`where ${sql.ref(key)} > ${after}`;
  const { rows } = await sql<SecretRow>`
    select ${sql.ref(key)} as id, ${sql.join(columns.map((column) => sql.ref(column)))}
    from ${sql.table(table)} ${from} order by ${sql.ref(key)} limit ${sql.lit(BATCH)}`.execute(db);
  return rows;
}

/** Skips values that another process has changed since they were read: it used the current key. */
async function encryptRow(tx: Db, table: SecretTable, { id, ...row }: SecretRow): Promise<void> {
  const { key } = secretColumns[table];
  for (const [column, stored] of Object.entries(row)) {
    if (typeof stored !== "string" || tx.secrets.isCurrent(stored)) continue;
    const encrypted = tx.secrets.encrypt(table, tx.secrets.decrypt(table, stored));
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${encrypted}
      where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${stored}`.execute(tx);
  }
}
