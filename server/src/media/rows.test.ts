import { openStorage } from "@tandem/testing/storage";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { unownedIds } from "./rows.ts";

test("finds unowned media without reading owned ones", async () => {
  await using storage = await openStorage();
  const looking = unownedIds(storage.read, 0, 100);
  const rows = await looking.explain<{ detail: string }>(undefined, sql`query plan`);
  expect(rows.map(({ detail }) => detail)).toEqual([expect.stringContaining("INDEX media_unowned")]);
});

test.each(["post_id", "user_id"])("finds media by their %s when it is deleted", async (column) => {
  await using storage = await openStorage();
  const parent = sql.raw(column === "post_id" ? "posts" : "users");
  const plan = sql<{ detail: string }>`explain query plan delete from ${parent} where id = 1`;
  const { rows } = await plan.execute(storage.read);
  const details = rows.map(({ detail }) => detail).filter((detail) => detail.includes(" media "));
  expect(details).toEqual([expect.stringContaining(`INDEX media_${column}`)]);
});
