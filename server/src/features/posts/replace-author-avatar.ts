import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";

/** Replaces an author's avatar in the fragments of all their posts. */
export async function replaceAuthorAvatar(
  tx: Db,
  creators: RawBuilder<number>,
  oldUrl: string | null,
  newUrl: string | null,
): Promise<void> {
  // One statement, as there may be very many posts. Quotes inside JSON strings are escaped, so this never matches a title or body.
  const property = (url: string | null) => `,"authorAvatarUrl":${JSON.stringify(url)},`;
  await sql`
    update posts set fragment = replace(fragment, cast(${property(oldUrl)} as text), cast(${property(newUrl)} as text))
    where creator_id in (${creators})
  `.execute(tx);
}
