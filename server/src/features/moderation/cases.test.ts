import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { latestDecisions, latestReasons } from "./cases.ts";

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
      await sql`${many} insert into decisions (id, act, user_id, excerpt, reason, automated, created_at)
        select i, 'suspend', ${user.id}, '', '', 0, i from n`.execute(tx);
      await sql`analyze`.execute(tx);
    });
    const { read } = tandem.storage;
    const query = latestReasons(read, [19_999, 7]);
    expect((await query.execute(read)).rows.map(({ reason }) => reason)).toEqual(["Spam 19999", "Spam 7"]);
    const decisions = latestDecisions(read, [user.id]);
    expect((await decisions.execute(read)).rows.map(({ id }) => id)).toEqual([20_000, 19_999, 19_998]);
    for (const one of [query, decisions]) {
      const explain = engine === "sqlite" ? sql`explain query plan ${one}` : sql`explain ${one}`;
      const plan = JSON.stringify((await explain.execute(read)).rows);
      expect(plan).not.toMatch(/SCAN [rxd]\b|Seq Scan|_pkey on (reports r|decisions d)[^}]*rows=20000/);
    }
  });
});
