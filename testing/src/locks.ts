import type { Storage } from "@tandem/server/storage/storage";
import { sql } from "kysely";

/** Whether a transaction waits for another's lock. PostgreSQL only. */
export async function waitsForLock({ read }: Pick<Storage, "read">): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where not granted limit 1`.execute(read);
  return rows.length > 0;
}
