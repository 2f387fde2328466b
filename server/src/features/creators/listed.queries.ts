import { nativePlatform } from "@tandem/contract/origins";
import type { Db } from "../../storage/storage.ts";

/** The highest id of a creator; 0 if there is none. */
export async function lastCreatorId(db: Db): Promise<number> {
  const row = await db.selectFrom("creators").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** The accounts with posts, by the ids of their creators from `from` up to `below`, whose profiles search engines should list. */
export async function listedCreators(
  db: Db,
  { from, below }: { from: number; below: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("creators as c")
    .innerJoin("users as u", "u.id", "c.user_id")
    .select("c.author")
    .where("c.id", ">=", from)
    .where("c.id", "<", below)
    .where("c.platform", "=", nativePlatform)
    .where("c.post_count", ">", 0)
    .where("u.removing_at", "is", null)
    .orderBy("c.id")
    .execute();
  return rows.map(({ author }) => author);
}
