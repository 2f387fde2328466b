import type { Db } from "../storage.ts";

/** Whether an account has closed the list of first steps. Accounts from before don't need it. */
export async function checklist(db: Db): Promise<void> {
  await db.schema
    .alterTable("users")
    .addColumn("checklist_closed", db.engine.types.integer, (c) => c.notNull().defaultTo(1))
    .execute();
}
