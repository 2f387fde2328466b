import { randomBytes } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { ConfigError } from "../config.ts";
import { KEY_LENGTH, SecretBox, type SecretTable, secretColumns } from "./secrets.ts";
import type { Db, Storage } from "./storage.ts";

/** The file with the key, in `DATA_DIR`. */
const FILE = "secrets.key";
/** In the table `secret_keys`: some secrets may not be encrypted. */
const UNENCRYPTED = "none";
/** Rows that one transaction encrypts. */
const BATCH = 200;

/**
 * The keys for stored secrets: those of `SECRETS_KEY`, otherwise the one in `DATA_DIR/secrets.key`. With SQLite, that file is
 * created if it is missing. With PostgreSQL it isn't, because the other servers of a database wouldn't have it.
 */
export function openSecrets(given: readonly Buffer[], dataDir: string, create: boolean): SecretBox {
  if (given.length > 0) return new SecretBox(given);
  const file = join(dataDir, FILE);
  const key = readKey(file) ?? (create ? createKey(file) : null);
  return new SecretBox(key ? [key] : []);
}

/** Copies the key of one data directory to another that has none. */
export function copyKey(from: string, to: string): void {
  const [source, target] = [join(from, FILE), join(to, FILE)];
  if (existsSync(source) && !existsSync(target)) copyFileSync(source, target, constants.COPYFILE_EXCL);
}

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw new ConfigError(`${file} can't be read: ${(error as Error).message}.`, { cause: error });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === KEY_LENGTH) return key;
  throw new ConfigError(`${file} must contain ${KEY_LENGTH} bytes in base64. Restore it from a copy.`);
}

/** If two processes create the file at the same time, both use the first one's. */
function createKey(file: string): Buffer | null {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  writeFileSync(written, `${randomBytes(KEY_LENGTH).toString("base64")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(written);
  }
  return readKey(file);
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
