import { sql } from "kysely";
import { authorNameOf } from "../post-fragment.ts";
import type { Db } from "../storage.ts";

/** Names of people that their keys wrote are shown only where they are marked: on the profile. */
export async function aiNames(db: Db): Promise<void> {
  await db.schema.alterTable("users").addColumn("ai_display_name", "text").execute();
  const { rows } = await sql<{ id: number; username: string; name: string }>`
    select c.id, u.username, u.display_name as name from users u join creators c on c.user_id = u.id
    where u.display_name_is_ai = 1 and u.role <> 'agent' and u.display_name is not null
  `.execute(db);
  for (const { id, username: author, name } of rows) {
    const named = `,${JSON.stringify({ author, ...authorNameOf(name) }).slice(1, -1)},"title":`;
    const unnamed = `,${JSON.stringify({ author }).slice(1, -1)},"title":`;
    await sql`
      update posts set fragment = replace(fragment, cast(${named} as text), cast(${unnamed} as text)) where creator_id = ${id}
    `.execute(db);
  }
  await sql`
    update users set ai_display_name = display_name, display_name = null
    where display_name_is_ai = 1 and role <> 'agent' and display_name is not null
  `.execute(db);
}
