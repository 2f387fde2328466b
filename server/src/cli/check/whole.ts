import { sql } from "kysely";
import { firstBroken } from "../../features/moderation/chain.ts";
import type { BrokenReference } from "../../storage/catalog.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import type { Report } from "./rule.ts";

/** Checks what isn't checked row by row. */
export async function checkWhole(db: Db, repair: Storage | null, report: Report): Promise<void> {
  const { catalog } = db.engine;
  for (const broken of await catalog.brokenReferences(db)) report(describe(broken), false, broken.rows);
  const decided = await db
    .selectFrom("decisions")
    .select("id")
    .where("automated", "=", 0)
    .where("community_id", "is", null)
    .limit(1)
    .executeTakeFirst();
  const { entries, broken } = await firstBroken(db);
  if (entries === 0 && broken === null && decided)
    report(`the audit log is empty, although admins have made decisions, such as ${decided.id}`, false);
  if (broken !== null) report(`the audit log is broken at entry ${broken}`, false);
  await checkQuotas(db, repair, report);
  for (const index of ["postSearch", "creatorSearch"] as const) await checkStrays(db, repair, report, index);
}

/** What the search index has of posts and creators that have no text: it makes searches slower. */
async function checkStrays(
  db: Db,
  repair: Storage | null,
  report: Report,
  name: "postSearch" | "creatorSearch",
): Promise<void> {
  const { strays, texts } = db.engine[name];
  if (!strays) return;
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${strays}) as strays`.execute(db);
  const n = rows[0]?.n ?? 0;
  if (n === 0) return;
  await repair?.write((tx) => tx.engine[name].remove(tx, strays));
  const what = n === 1 ? "1 entry" : `${n} entries`;
  report(`the search index has ${what} without a row of ${texts.table}`, repair !== null, n);
}

function describe({ table, parent, rows, examples }: BrokenReference): string {
  const more = rows > examples.length ? `; and ${rows - examples.length} more` : "";
  const what = rows === 1 ? `1 row of ${table} references` : `${rows} rows of ${table} reference`;
  return `${what} missing rows of ${parent}: ${examples.join("; ")}${more}`;
}

/** Quotas have no integer key, and few windows are open at a time. */
async function checkQuotas(db: Db, repair: Storage | null, report: Report): Promise<void> {
  const negative = await db
    .selectFrom("quota_windows")
    .select(["holder", "quota", "used"])
    .where("used", "<", 0)
    .execute();
  for (const { holder, quota, used } of negative)
    report(`the quota ${quota} of ${holder} is used ${used} times`, repair !== null);
  await repair?.write((tx) =>
    tx.updateTable("quota_windows").set({ used: 0 }).where("used", "<", 0).execute(),
  );
}
