import type { Db } from "../storage.ts";

/** What the cause of a mail ended, for the mail to tell. */
export async function mailsTellWhatEnded(db: Db): Promise<void> {
  await db.schema.alterTable("mails").addColumn("ended", "text").execute();
}
