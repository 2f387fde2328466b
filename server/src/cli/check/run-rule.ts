import { sql } from "kysely";
import type { Db, Storage } from "../../storage/storage.ts";
import type { Finding, Report, Rule } from "./rule.ts";

/** Rows per query. */
const BATCH = 500;
/** Findings of a rule and outcome that are listed one by one. */
const LISTED = 20;

/**
 * Checks a rule for all rows of its table, a batch at a time. A suspect is looked at again, in a transaction if it is to be
 * repaired, before it is reported.
 */
export async function checkRule(rule: Rule, db: Db, repair: Storage | null, report: Report): Promise<void> {
  const found = { repaired: 0, left: 0 };
  const tell = (findings: readonly Finding[], outcome: keyof typeof found) => {
    for (const { key, detail } of findings) {
      found[outcome] += 1;
      if (found[outcome] <= LISTED)
        report(`${rule.table} ${rule.key} ${key}: ${detail} (${rule.what})`, outcome === "repaired");
    }
  };
  for (let after = 0; ; ) {
    const upto = await lastKey(db, rule, after);
    if (upto === null) break;
    const suspects = [...new Set((await rule.find(db, { after, upto })).map(({ key }) => key))];
    if (suspects.length > 0) {
      const { wrong, left } = await lookAgain(rule, db, repair, suspects);
      const isLeft = new Set(left.map(({ key }) => key));
      tell(
        wrong.filter(({ key }) => !isLeft.has(key)),
        "repaired",
      );
      tell(left, "left");
    }
    after = upto;
  }
  for (const outcome of ["repaired", "left"] as const) {
    const more = found[outcome] - LISTED;
    if (more > 0) report(`${more} more rows of ${rule.table} (${rule.what})`, outcome === "repaired", more);
  }
}

async function lookAgain(rule: Rule, db: Db, repair: Storage | null, keys: readonly number[]) {
  const { repair: correct } = rule;
  if (!repair || !correct) {
    const wrong = await rule.find(db, keys);
    return { wrong, left: wrong };
  }
  return repair.write(async (tx) => {
    const wrong = await rule.find(tx, keys);
    await correct(
      tx,
      wrong.map(({ key }) => key),
    );
    return { wrong, left: await rule.find(tx, keys) };
  });
}

/** The highest key of the next batch; null if there are no more rows. */
async function lastKey(db: Db, { table, key }: Rule, after: number): Promise<number | null> {
  const column = sql.ref(key);
  const { rows } = await sql<{ last: number | null }>`
    select max(key) as last from (
      select ${column} as key from ${sql.table(table)} where ${column} > ${after} order by ${column} limit ${BATCH}
    ) as batch`.execute(db);
  const last = rows[0]?.last ?? null;
  return last === null ? null : Number(last);
}
