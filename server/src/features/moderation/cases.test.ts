import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { latestReasons } from "./cases.ts";

describe.each(engines)("report cases among very many reports on %s", (engine) => {
  test("finds the reports of a page of cases by index", async () => {
    await using tandem = await startTandem(engine);
    const { user } = await tandem.as.human();
    await tandem.storage.write(async (tx) => {
      const many = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)`;
      await sql`${many} insert into report_cases (id, kind, target_id, state, recent_since, created_at, newest_at)
        select i, 'account', i, 'resolved', 0, 0, 0 from n`.execute(tx);
      await sql`${many} insert into reports (case_id, reporter_id, reason, created_at)
        select i, ${user.id}, 'Spam ' || i, 0 from n`.execute(tx);
      await sql`analyze`.execute(tx);
    });
    const { read } = tandem.storage;
    const query = latestReasons(read, [19_999, 7]);
    expect((await query.execute(read)).rows.map(({ reason }) => reason)).toEqual(["Spam 19999", "Spam 7"]);
    const explain = engine === "sqlite" ? sql`explain query plan ${query}` : sql`explain ${query}`;
    const plan = JSON.stringify((await explain.execute(read)).rows);
    expect(plan).not.toMatch(/SCAN r\b|SCAN x\b|Seq Scan|reports_pkey on reports r[^}]*rows=20000/);
  });
});
