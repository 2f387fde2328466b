import { DAY } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "../storage.ts";
import { accountLimits } from "./0022-account-limits.ts";

test.each(engines)(
  "what keys on %s had used, and their strikes, become the account's; operators' sessions beside agents' end",
  async (engine) => {
    const env = { LIMIT_TIERS_PROBATION_POSTS: "10" };
    await using tandem = await startTandem(engine, { env });
    const [ada, eve, admin] = await Promise.all([tandem.as.human(), tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
    const [kept, revoked, free] = await Promise.all([
      tandem.as.key(undefined, ada),
      tandem.as.key(undefined, ada),
      tandem.as.key(undefined, eve),
    ]);
    const { post } = await revoked.createPost({ title: "To be removed" });
    await free.createPost({ title: "Fine" });
    await admin.removePost({ id: post.id, reason: "Advertising" });
    await ada.revokeKey({ id: revoked.keyId });
    const mary = await tandem.as.human();
    const session = await tandem.as.agentSession(mary, (await tandem.as.agent(mary)).agent.id);
    await tandem.storage.write(async (tx) => {
      await undo(tx);
      await tx.deleteFrom("quota_windows").where("holder", "like", "key%").execute();
      const now = Date.now();
      const window = (keyId: number, used: number, ends_at: number) => ({
        ...{
          holder: `key:${keyId}`,
          quota: "posts",
          started_at: ends_at - DAY,
          ends_at,
          used,
          position: keyId,
        },
      });
      await tx
        .insertInto("quota_windows")
        .values([
          window(kept.keyId, 3, now + DAY / 2),
          window(revoked.keyId, 4, now + DAY / 4),
          window(free.keyId, 9, now - 1),
        ])
        .execute();
      await sql`update keys set tier = 'trusted'`.execute(tx);
      await accountLimits(tx);
    });
    // Browsers of agents' sessions may have kept a session of the operator.
    const states = [mary, session, ada].map(async (caller) => (await caller.call("me")).status);
    expect(await Promise.all(states)).toEqual([401, 200, 200]);
    const status = await kept.readOwnKey();
    expect(status).toMatchObject({ tier: "probation", strikes: 1, remaining: { posts: 3 } });
    expect(await free.readOwnKey()).toMatchObject({ tier: "trusted", strikes: 0, strikesEndAt: null });
    const windows = await tandem.storage.read
      .selectFrom("quota_windows")
      .select(["holder", "used", "position"])
      .where("holder", "like", "key%")
      .orderBy("used")
      .execute();
    expect(windows).toEqual([
      { holder: `keys:${eve.user.id}`, used: 0, position: free.keyId },
      { holder: `keys:${ada.user.id}`, used: 7, position: Math.max(kept.keyId, revoked.keyId) },
    ]);
  },
);

async function undo(tx: Db): Promise<void> {
  const { integer } = tx.engine.types;
  await tx.schema.dropIndex("decisions_standing").execute();
  await tx.schema.alterTable("users").dropColumn("last_strike_at").execute();
  await tx.schema.alterTable("keys").dropColumn("tier_set_at").execute();
  await tx.schema.alterTable("decisions").addColumn("key_id", integer).execute();
  await tx.schema
    .alterTable("keys")
    .addColumn("strikes", integer, (c) => c.notNull().defaultTo(0))
    .execute();
}
