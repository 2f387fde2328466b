import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listedTags } from "./0087-listed-tags.ts";

test.each(engines)("existing hashtags that few people use, on %s, aren't kept", async (engine) => {
  // Prepared statements would break: normally no service runs during a migration.
  await using tandem = await startTandem(engine, { env: { DATABASE_PREPARES: "0" } });
  await tandem.storage.write(async (tx) => {
    await sql`alter table tags add column counted_at bigint not null default 0`.execute(tx);
    await sql`create index tags_unused on tags (counted_at) where people = 0`.execute(tx);
    const rows = [0, 1, 2, 3].map((people) => ({ tag: `tea${people}`, name: `Tea${people}`, people }));
    await tx.insertInto("tags").values(rows).execute();
    await listedTags(tx);
  });
  expect((await tandem.as.anonymous().listTags({ q: "tea" })).tags).toEqual([
    { name: "Tea3", people: 3 },
    { name: "Tea2", people: 2 },
  ]);
});
