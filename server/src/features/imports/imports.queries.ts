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
/** Rows that one transaction deletes. */
const FORGOTTEN = 1000;

interface NewImport {
  userId: number;
  platform: ImportPlatform;
  parts: readonly ImportPart[];
  /** Its name in media storage. Not a media name: it isn't served, and the sweep of stray media leaves it alone. */
  file: string;
  now: number;
}

/** Adds an import that waits for its file, and leaves the oldest to the sweep. Returns its id. */
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
  // With all that could be undone, that may be many rows.
  await sql`update imports set user_id = null where user_id = ${userId} and due_at is null
    and id not in (select id from (${kept}) as kept)`.execute(tx);
  return id;
}

/** Makes a waiting import due, as its file is stored. Returns false if it was undone meanwhile. */
export async function setDue(tx: Db, id: number, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom("imports")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "is not", null)
    .executeTakeFirst();
  if (!row) return false;
  await tx
    .updateTable("imports")
    .set({ due_at: now })
    .where("id", "=", id)
    .where("due_at", "is not", null)
    .where("holder", "is", null)
    .execute();
  return true;
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
export async function importsOf(db: Db, userId: number, now: number): Promise<Import[]> {
  const rows = await db
    .selectFrom("imports")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(limits.importsKept)
    .execute();
  return rows.map((row) => asImport(row, now));
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

/** Whether an import is being undone already, maybe with a failure. */
const isBegun = sql<boolean>`state = 'undoing' or coalesce(problem, '') = 'undo_failed'`;

/**
 * Marks an import to be undone, and ends the lease of a process that works on it. Returns it; undefined if the account has none with this id. The
 * account must be locked.
 */
export async function setUndoing(
  tx: Db,
  userId: number,
  id: number,
  now: number,
): Promise<Import | undefined> {
  const row = await tx
    .updateTable("imports")
    .set((eb) => ({
      state: "undoing",
      // From then on, these are of what stays.
      counts: eb.case().when(isBegun).then(eb.ref("counts")).else("[]").end(),
      missing: "[]",
      problem: null,
      attempts: 0,
      due_at: now,
      // One that is being undone already goes on.
      holder: eb.case().when("state", "=", "undoing").then(eb.ref("holder")).else(null).end(),
    }))
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
  return row && asImport(row, now);
}

function asImport(row: Selectable<ImportRow>, now: number): Import {
  // One that comes sooner waits because something failed or was busy.
  const isPaused =
    row.state === "working" && row.holder === null && row.due_at !== null && row.due_at > now + MINUTE;
  return {
    id: row.id,
    platform: row.platform,
    parts: row.parts.split(",") as ImportPart[],
    state: row.state,
    problem: row.problem,
    continuesAt: isPaused ? new Date(row.due_at as number).toISOString() : null,
    done: row.done,
    total: row.total,
    counts: JSON.parse(row.counts) as ImportCount[],
    missing: row.missing !== "[]",
    createdAt: new Date(row.created_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  };
}

/** Deletes the files of imports that have ended, and imports that were undone, are old or whose account is gone. */
export async function sweepImports({ storage, media, log }: Services): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await endedImports(storage.read, after);
    for (const { id, file, user_id } of rows)
      try {
        if (file !== null) await media.store.remove([file]);
        if (user_id === null) while (await storage.write((tx) => forgetSome(tx, id)));
        await storage.write((tx) => forgetFile(tx, id, user_id));
      } catch (err) {
        log.error({ err, import: id }, "the file of an import could not be removed");
      }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}

/** Forgets what could be undone. Returns whether there may be more. */
async function forgetSome(tx: Db, id: number): Promise<boolean> {
  const { rows } = await sql`delete from import_additions where id in (
    select id from import_additions where import_id = ${id} limit ${sql.lit(FORGOTTEN)}) returning id`.execute(
    tx,
  );
  return rows.length === FORGOTTEN;
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
