import { limits } from "@tandem/contract/limits";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { type RawBuilder, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { knownTo, namedLike, readAccounts } from "./suggestions.ts";

describe.each(engines)("suggested mentions on %s", (engine) => {
  test("begin with the text, known accounts first, then by followers", async () => {
    await using tandem = await startTandem(engine);
    const human = (name: string) => tandem.as.human(name);
    const ada = await human("Annabel");
    const [popular, quiet, writes, named] = [
      await human("anna_p"),
      await human("anna_a"),
      await human("anna_w"),
      await human("zoe"),
    ];
    await named.editProfile({ displayName: "Zoë Ännerlin" });
    const bot = await tandem.as.agent(popular, "anna.bot");
    const suggest = async (q: string) =>
      (await ada.suggestMentions({ q })).accounts.map((one) => one.username);
    await quiet.follow({ platform: "native", author: "anna_p" });
    expect(await suggest("ANN")).toEqual(["anna_p", "anna.bot", "anna_a", "anna_w"]);
    expect(await suggest("@anna_")).toEqual(["anna_p", "anna_a", "anna_w"]);
    expect(await suggest("nna")).toEqual([]);
    expect(await suggest("än")).toEqual([]);
    await writes.sendMessage({ username: "Annabel", body: "Hello" });
    await ada.follow({ platform: "native", author: "zoe" });
    await ada.follow({ platform: "bluesky", author: "annals.example" });
    expect(await suggest("ann")).toEqual(["anna_w", "anna_p", "anna.bot", "anna_a"]);
    expect(await suggest("ÄN")).toEqual(["zoe"]);
    expect(await suggest("zoë")).toEqual(["zoe"]);
    const { accounts } = await tandem.as.bearer(String(bot.options.key)).suggestMentions({ q: "zo" });
    expect(accounts).toEqual([
      { username: "zoe", displayName: "Zoë Ännerlin", avatarUrl: null, isAgent: false },
    ]);
    expect((await ada.suggestMentions({ q: "anna." })).accounts).toMatchObject([{ isAgent: true }]);
  });

  test("don't tell a key who its owner's friends and correspondents are", async () => {
    await using tandem = await startTandem(engine);
    const [ada, friend, writes] = [
      await tandem.as.human("ada"),
      await tandem.as.human("ben_friend"),
      await tandem.as.human("ben_writes"),
    ];
    const followed = await tandem.as.human("ben_z");
    await tandem.as.human("ben_a");
    for (const one of [friend, writes, followed]) await one.editProfile({ displayName: "Weaver" });
    await friend.requestFriend({ username: "ada" });
    await ada.requestFriend({ username: "ben_friend" });
    await writes.sendMessage({ username: "ada", body: "Hello" });
    await ada.follow({ platform: "native", author: "ben_z" });
    const key = await tandem.as.key([], ada);
    const suggest = async (caller: Caller, q: string) =>
      (await caller.suggestMentions({ q })).accounts.map((one) => one.username);
    expect(await suggest(ada, "wea")).toEqual(["ben_friend", "ben_writes", "ben_z"]);
    expect(await suggest(key, "wea")).toEqual(["ben_z"]);
    expect(await suggest(key, "ben")).toEqual(["ben_z", "ben_a", "ben_friend", "ben_writes"]);
  });

  test("leave out blocked, suspended and deleted accounts", async () => {
    await using tandem = await startTandem(engine);
    const human = (name: string) => tandem.as.human(name);
    const [ada, admin] = [await human("ada"), await human("admin_a")];
    await makeAdmin(tandem.storage, admin);
    const [blocked, blocking, spammer, leaver] = [
      await human("ben_blocked"),
      await human("ben_blocks"),
      await human("ben_spam"),
      await human("ben_leaves"),
    ];
    await tandem.as.agent(blocked, "ben_bot");
    await human("ben_stays");
    const suggest = async () => (await ada.suggestMentions({ q: "ben" })).accounts.map((one) => one.username);
    expect(await suggest()).toHaveLength(limits.completions);
    await ada.follow({ platform: "native", author: "ben_spam" });
    await ada.block({ username: "ben_blocked" });
    await blocking.block({ username: "ada" });
    await admin.suspendAccount({ id: spammer.user.id, reason: "spam" });
    await leaver.deleteAccount({ password: leaver.password });
    expect(await suggest()).toEqual(["ben_stays"]);
  });

  test("are read along indexes, and a bounded number of rows", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human("ada");
    await fill(tandem);
    const { read } = tandem.storage;
    const plan = async (query: RawBuilder<unknown>) => {
      const explain = read.engine.rowLocks ? sql`explain` : sql`explain query plan`;
      return JSON.stringify((await sql`${explain} ${query}`.execute(read)).rows);
    };
    // SQLite compares the unique names byte by byte anyway.
    const named = await plan(namedLike(read, "ab1"));
    expect(named).toMatch(/creators_native_by_name|SEARCH creators USING INDEX .*author_key>/);
    const known = await plan(knownTo({ userId: ada.user.id, key: null }));
    const accountsRead = await plan(readAccounts(read, [1, 2, 3], 0));
    for (const text of [named, known, accountsRead])
      expect(text).not.toMatch(/Seq Scan on (users|creators|follows)|SCAN (u|c|users|creators|follows)\b/);
    const { accounts } = await ada.suggestMentions({ q: "ab1" });
    expect(accounts).toHaveLength(limits.completions);
  });
});

/** 20,000 accounts who know one another, and as many authors on another platform. */
async function fill({ storage }: Tandem): Promise<void> {
  const into = (table: string, columns: string, values: string) =>
    storage.write((tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
        insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(values)} from n`.execute(tx),
    );
  const name = "'ab' || i";
  await into(
    "users",
    "id, username, username_key, email, email_key, role, unread, read_upto, created_at",
    `1000 + i, ${name}, ${name}, ${name}, ${name}, 'user', 0, 0, i`,
  );
  const counts = "post_count, view_count, like_count, comment_count, click_count, follower_count";
  await into(
    "creators",
    `platform, author, author_key, user_id, ${counts}`,
    `'native', ${name}, ${name}, 1000 + i, 0, 0, 0, 0, 0, i`,
  );
  await into(
    "creators",
    `platform, author, author_key, ${counts}`,
    `'bluesky', ${name}, ${name}, 0, 0, 0, 0, 0, i`,
  );
  const [self, other] = ["1000 + i", "1000 + 1 + i % 20000"];
  await into("follows", "user_id, creator_id", `${self}, (select min(id) from creators where id > 0) + i`);
  await into("friendships", "user_id, friend_id, since", `${self}, ${other}, i`);
  await into("conversations", "id, created_at", "i, i");
  await into(
    "conversation_sides",
    "conversation_id, side, user_id, other_id, last_id",
    `i, 0, ${self}, ${other}, i`,
  );
  await storage.write((tx) => sql`analyze`.execute(tx));
}
