import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { ownComments } from "./comments/read-comments.ts";
import { ofAccount, ofKey } from "./keys/activity.ts";
import { latestOf as latestNotices } from "./notifications/notifications.ts";
import { latestOf as latestDeliveries } from "./webhooks/deliveries.ts";

/** Rows of the account's own, which are the oldest, and rows that others added since. */
const ROWS = 20_000;
/** The number of other accounts, and the id after which theirs start. */
const OTHERS = 5000;
const FIRST = 1000;
const page = { before: Number.MAX_SAFE_INTEGER, limit: 20 };

describe.each(engines)("an account that owns most of the oldest rows, on %s", (engine) => {
  test("is read without scanning the newer rows of others", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const { webhook } = await ada.createWebhook({ url: "https://hooks.example.org/" });
    const { id: postId } = (await ada.createPost({ title: "By ada" })).post;
    await tandem.storage.write(async (tx) => {
      const into = (rows: number, table: string, columns: string, values: string) =>
        sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})
          insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(values)} from n`.execute(tx);
      const name = "'other' || i";
      await into(
        OTHERS,
        "users",
        "id, username, username_key, email, email_key, role, unread, read_upto, created_at",
        `${FIRST} + i, ${name}, ${name}, ${name}, ${name}, 'user', 0, 0, i`,
      );
      await into(
        OTHERS,
        "webhooks",
        "id, owner_id, user_id, url, secret, state, created_at",
        `${FIRST} + i, ${FIRST} + i, ${FIRST} + i, 'https://hooks.example.org/', '', 'working', i`,
      );
      const other = `${FIRST} + 1 + i % ${OTHERS}`;
      for (const [user, hook] of [
        [ada.user.id, webhook.id],
        [other, other],
      ]) {
        const about = `${user}, 'comment', ${ada.user.id}, ${postId}, i`;
        await into(ROWS, "notifications", "user_id, type, actor_id, post_id, created_at", about);
        const acted = `${user}, ${user}, 'createPost', i, i`;
        await into(ROWS, "activity", "user_id, key_id, operation, target, created_at", acted);
        const written = `${postId}, ${user}, '', 0, i`;
        await into(ROWS, "comments", "post_id, user_id, body, is_ai, created_at", written);
        const sent = `${hook}, 'm', 'test', '{}', 'delivered', i`;
        await into(
          ROWS,
          "webhook_deliveries",
          "webhook_id, message_id, type, payload, state, created_at",
          sent,
        );
      }
      await sql`analyze`.execute(tx);
    });
    const { read } = tandem.storage;
    const queries = [
      latestNotices(read, ada.user.id, { ...page, after: 0 }),
      latestNotices(read, ada.user.id, { ...page, after: 0 }, { types: ["mention"] }),
      latestNotices(read, ada.user.id, { ...page, after: 0 }, { types: ["mention", "comment"] }),
      latestNotices(read, ada.user.id, { ...page, after: 0 }, { onlyUnread: true }),
      ofAccount(read, ada.user.id, page),
      ofKey(read, ada.user.id, [ada.user.id], page),
      ownComments(ada.user.id, page),
      latestDeliveries(read, webhook.id, page),
    ];
    for (const query of queries) {
      if (engine === "postgres") {
        const plan = await sql<object>`explain (analyze, costs off, timing off) ${query}`.execute(read);
        const text = JSON.stringify(plan.rows);
        const counts = [...text.matchAll(/actual rows=(\d+)|Removed by Filter: (\d+)/g)].map(([, a, b]) =>
          Number(a ?? b),
        );
        expect(Math.max(...counts), text).toBeLessThanOrEqual(50);
      } else {
        const plan = JSON.stringify(
          "explain" in query
            ? await query.explain(undefined, sql`query plan`)
            : (await sql`explain query plan ${query}`.execute(read)).rows,
        );
        expect(plan).toMatch(
          /(notifications|comments)_user_id_id|notifications_user_id_type_opened_id|activity_(user|key)_id|webhook_deliveries_webhook_id/,
        );
        expect(plan).not.toMatch(/SCAN (n|c|notifications|activity|comments|webhook_deliveries)\b/);
      }
    }
  });
});
