import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Posts contain their authors' display names. */
export async function authorNames(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number; author: string; name: string }>`
    select c.id, u.username as author, u.display_name as name from creators c join users u on u.id = c.user_id
    where u.display_name is not null and c.post_count > 0`.execute(db);
  for (const { id, author, name } of rows) {
    const before = `,"author":${JSON.stringify(author)},"title":`;
    const after = `,"author":${JSON.stringify(author)},"authorName":${JSON.stringify(name)},"title":`;
    await sql`update posts set fragment = replace(fragment, cast(${before} as text), cast(${after} as text))
      where creator_id = ${id}`.execute(db);
  }
}
