import { MINUTE } from "@tandem/contract/durations";
import type { Import, ImportCount, ImportPart, ImportPlatform, MissingItem } from "@tandem/contract/imports";
import { limits } from "@tandem/contract/limits";
import { type Selectable, sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { insertRow } from "../../storage/bulk.ts";
import type { ImportRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";

/** Milliseconds in which an uploaded file must be stored. Afterwards the import begins, and fails without it. */
const STORING = 10 * MINUTE;
/** Rows read at a time. */
const BATCH = 100;

interface NewImport {
  userId: number;
  platform: ImportPlatform;
  parts: readonly ImportPart[];
  /** Its name in media storage. Not a media name: it isn't served, and the sweep of stray media leaves it alone. */
  file: string;
  now: number;
}

/** Adds an import that waits for its file, and forgets the oldest. Returns its id. */
export async function addImport(tx: Db, { userId, platform, parts, file, now }: NewImport): Promise<number> {
  const id = await insertRow(tx, "imports", {
    user_id: userId,
    platform,
    parts: parts.join(),
    state: "waiting",
    file,
    counts: "[]",
    missing: "[]",
    created_at: now,
    due_at: now + STORING,
  });
  const kept = sql`select id from imports where user_id = ${userId} order by id desc limit ${sql.lit(limits.importsKept)}`;
  // One whose file wasn't deleted yet is forgotten with a later import.
  await sql`delete from imports where user_id = ${userId} and file is null
    and id not in (select id from (${kept}) as kept)`.execute(tx);
  return id;
}

/** Makes a waiting import due, as its file is stored. */
export async function setDue(tx: Db, id: number, now: number): Promise<void> {
  await tx
    .updateTable("imports")
    .set({ due_at: now })
    .where("id", "=", id)
    .where("due_at", "is not", null)
    .where("holder", "is", null)
    .execute();
}

export async function isImporting(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("imports")
    .select("id")
    .where("user_id", "=", userId)
    .where("due_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** An account's latest imports, newest first. */
export async function importsOf(db: Db, userId: number): Promise<Import[]> {
  const rows = await db
    .selectFrom("imports")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limits.importsKept)
    .execute();
  return rows.map(asImport);
}

export async function missingOf(db: Db, userId: number, id: number): Promise<MissingItem[] | null> {
  const row = await db
    .selectFrom("imports")
    .select("missing")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? (JSON.parse(row.missing) as MissingItem[]) : null;
}

function asImport(row: Selectable<ImportRow>): Import {
  return {
    id: row.id,
    platform: row.platform,
    parts: row.parts.split(",") as ImportPart[],
    state: row.state,
    problem: row.problem,
    done: row.done,
    total: row.total,
    counts: JSON.parse(row.counts) as ImportCount[],
    missing: row.missing !== "[]",
    createdAt: new Date(row.created_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  };
}

/** Deletes the files of imports that have ended or whose account is gone. */
export async function sweepImports({ storage, media, log }: Services): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await endedImports(storage.read, after);
    for (const { id, file, user_id } of rows)
      try {
        if (file !== null) await media.store.remove([file]);
        await storage.write((tx) => forgetFile(tx, id, user_id));
      } catch (err) {
        log.error({ err, import: id }, "the file of an import could not be removed");
      }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}

async function forgetFile(tx: Db, id: number, userId: number | null): Promise<void> {
  if (userId === null) await tx.deleteFrom("imports").where("id", "=", id).execute();
  else await tx.updateTable("imports").set({ file: null }).where("id", "=", id).execute();
}

function endedImports(db: Db, after: number) {
  return (
    db
      .selectFrom("imports")
      .select(["id", "file", "user_id"])
      .where("id", ">", after)
      .where((eb) => eb.or([eb("user_id", "is", null), eb("file", "is not", null).and("due_at", "is", null)]))
      // A process that still reads the file ends first.
      .where((eb) => eb.or([eb("holder", "is", null), eb("lease_ends_at", "<=", db.engine.now)]))
      .orderBy("id")
      .limit(BATCH)
      .execute()
  );
}
