import { HOUR } from "@tandem/contract/durations";
import { sql } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { RemotePictureRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";

/** A picture in the cache; `file` is null if it couldn't be had. */
export interface Entry {
  file: string | null;
  expires_at: number;
  used_at: number;
  lease_ends_at: number;
}

export async function readEntry(db: Db, key: string): Promise<Entry | null> {
  const [entry] = await entryByKey(db, { key });
  return entry ?? null;
}

const entryByKey = prepared<{ key: string }, Entry>((db, { key }) =>
  db
    .selectFrom("remote_pictures")
    .select(["file", "expires_at", "used_at", "lease_ends_at"])
    .where("key", "=", key)
    .compile(),
);

/** Makes this process the one that fetches the picture. False if another is, or it is there already. */
export async function claimEntry(tx: Db, key: string, now: number, leaseEndsAt: number): Promise<boolean> {
  const { rows } = await sql`
    insert into remote_pictures (key, used_at, lease_ends_at) values (${key}, ${now}, ${leaseEndsAt})
    on conflict (key) do update set lease_ends_at = excluded.lease_ends_at
      where remote_pictures.lease_ends_at <= ${now} and remote_pictures.expires_at <= ${now}
    returning key`.execute(tx);
  return rows.length > 0;
}

type Outcome = Pick<RemotePictureRow, "file"> & { bytes: number; expires_at: number };

/** Stores what the fetch led to, and returns the file that it replaces. */
export async function settleEntry(
  tx: Db,
  key: string,
  { file, bytes, expires_at }: Outcome,
  now: number,
): Promise<string | null> {
  const old = await readEntry(tx, key);
  const entry = { file, bytes, expires_at, used_at: now, lease_ends_at: 0 };
  await tx
    .insertInto("remote_pictures")
    .values({ key, ...entry })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(entry))
    .execute();
  return old?.file ?? null;
}

const unsettled = { expires_at: 0, lease_ends_at: 0 };

/** Lets anyone fetch the picture, after this process failed to. */
export async function resetEntry(tx: Db, key: string): Promise<void> {
  await tx.updateTable("remote_pictures").set(unsettled).where("key", "=", key).execute();
}

/** Lets anyone fetch the picture again, as its file is gone, unless another process does or has. */
export async function forgetFile(tx: Db, key: string, file: string, now: number): Promise<void> {
  await tx
    .updateTable("remote_pictures")
    .set(unsettled)
    .where("key", "=", key)
    .where("file", "=", file)
    .where("lease_ends_at", "<=", now)
    .execute();
}

/** How precisely the time of an entry's last use is known, so that few requests write. */
export const USE_PRECISION = HOUR;

export async function touchEntry(tx: Db, key: string, now: number): Promise<void> {
  await tx.updateTable("remote_pictures").set({ used_at: now }).where("key", "=", key).execute();
}

/** The size of all cached files. */
export async function cachedBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom("remote_pictures")
    .select((eb) => eb.fn.sum("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

export interface Evicted {
  key: string;
  file: string | null;
  bytes: number;
}

/** Entries that no one refreshed for a while, or those that were used least recently. */
export function evictable(db: Db, before: { expired: number } | null, limit: number): Promise<Evicted[]> {
  const entries = db.selectFrom("remote_pictures").select(["key", "file", "bytes"]).limit(limit);
  return before
    ? entries
        .where("expires_at", "<=", before.expired)
        .where("lease_ends_at", "<=", before.expired)
        .orderBy("expires_at")
        .execute()
    : entries.where("bytes", ">", 0).orderBy("used_at").execute();
}

/** Deletes the entries, unless they have another file now. */
export async function deleteEntries(tx: Db, entries: readonly Evicted[]): Promise<void> {
  for (const { key, file } of entries)
    await tx
      .deleteFrom("remote_pictures")
      .where("key", "=", key)
      .where("file", "is not distinct from", file)
      .execute();
}
