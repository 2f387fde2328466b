import type { Db } from "../storage.ts";

/** Posts are understood again: those in languages that the model can't read were found alike. */
export async function meaningsAgain(db: Db): Promise<void> {
  await db.deleteFrom("post_meanings").execute();
}
