import type { Db } from "../storage.ts";

/** Polls whose post was removed as they closed are announced when it is restored. `stopped_upto`: the `announced_upto` of then. */
export async function stoppedPolls(db: Db): Promise<void> {
  await db.schema.alterTable("polls").addColumn("stopped_upto", db.engine.types.integer).execute();
}
