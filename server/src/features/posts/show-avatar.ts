import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";

/** Writes an author's new avatar into the texts of all their posts, in place of the one before. */
export async function showAvatar(
  tx: Db,
  creators: RawBuilder<number>,
  before: string | null,
  now: string | null,
): Promise<void> {
  // In one statement, for there may be very many. A quote inside a text is written \", so no title or body is hit.
  const written = (address: string | null) => `,"authorAvatarUrl":${JSON.stringify(address)},`;
  await sql`
    update posts set fragment = replace(fragment, cast(${written(before)} as text), cast(${written(now)} as text))
    where creator_id in (${creators})
  `.execute(tx);
}
