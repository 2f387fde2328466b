import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";

/** Replaces an author's avatar in the fragments of all their posts. */
export async function showAvatar(
  tx: Db,
  creators: RawBuilder<number>,
  before: string | null,
  now: string | null,
): Promise<void> {
  // One statement, as there may be very many posts. Quotes inside JSON strings are escaped, so this never matches a title or body.
  const property = (address: string | null) => `,"authorAvatarUrl":${JSON.stringify(address)},`;
  await sql`
    update posts set fragment = replace(fragment, cast(${property(before)} as text), cast(${property(now)} as text))
    where creator_id in (${creators})
  `.execute(tx);
}
