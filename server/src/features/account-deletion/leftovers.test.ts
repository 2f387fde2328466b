import { cookieOf, type Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { dump } from "@tandem/testing/dump";
import { makeFullUser, pixel } from "@tandem/testing/inputs";
import { sendStreamEvent, startTandemWithStreaming, streamOf } from "@tandem/testing/streaming";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { describe, expect, test } from "vitest";
import { sweepExports } from "../account-export/exports.queries.ts";
import { publishDue } from "../publishing/scheduled.ts";
import { removeOrRetire, removeRetired } from "./delete-account.ts";

const password = "correct horse";
/** Columns that name an account. */
const names = "user_id owner_id actor_id other_id reporter_id from_id to_id operator_id friend_id".split(" ");
/** The audit log is permanent, and quota windows expire by themselves. */
const retainedTables = ["audit_log", "quota_windows"];

/** Gives an account more rows than are removed in one transaction. */
async function makeLarge({ storage }: Tandem, userId: number): Promise<void> {
  const deed = { user_id: userId, key_id: null, operation: "savePost", target: 1, creator: null };
  const deeds = Array.from({ length: 300 }, () => ({ ...deed, created_at: Date.now() }));
  await storage.write(async (tx) => {
    for (let i = 0; i < 7; i++) await tx.insertInto("activity").values(deeds).execute();
  });
}

const worlds = engines.flatMap((engine) => [
  [engine, "immediately"] as const,
  [engine, "in batches"] as const,
]);

describe.each(worlds)("on %s, deleting an account %s", (engine, how) => {
  test("leaves no row and no file, and correct counts for others", async () => {
    await using tandem = await startTandem(engine);
    const { person, agent, inputs } = await makeFullUser(tandem);
    const bob = await tandem.as.human();
    const { post } = await bob.createPost({ title: "Bob's" });
    for (const caller of [person, agent]) {
      await caller.likePost({ id: post.id });
      await caller.savePost({ id: post.id });
      await caller.dismissPost({ id: post.id });
      const { comment } = await caller.createComment({ id: post.id, body: "Well said" });
      const { comment: reply } = await bob.createComment({ id: post.id, body: "So?", parentId: comment.id });
      await caller.likeComment({ id: reply.id });
      await caller.createPost({ title: "Seen", image: pixel });
    }
    await bob.follow({ platform: "native", author: person.user.username });
    for (const name of ["setAvatar", "startLive", "chooseNotifications", "beginPasskey", "follow"] as const)
      expect([name, (await person.call(name, inputs[name], { idempotencyKey: name })).status]).toEqual([
        name,
        200,
      ]);
    await person.createDraft({ title: "With a time", publishAt: new Date(Date.now() + 1e8).toISOString() });
    await person.startExport();
    await tandem.services.afterResponse.idle();
    if (how === "in batches") for (const id of [person.user.id, agent.agent.id]) await makeLarge(tandem, id);

    await person.deleteAccount({ password });
    await tandem.services.afterResponse.idle();
    await removeRetired(tandem.services);

    const rows = await dump(tandem.storage);
    const ids = [person.user.id, agent.agent.id];
    const left = Object.entries(rows).flatMap(([table, all]) =>
      all
        .filter((row) => !retainedTables.includes(table) && namesOneOf(row, ids))
        .map((row) => `${table}: ${row}`),
    );
    expect(left).toEqual([]);
    const text = JSON.stringify(Object.entries(rows).filter(([table]) => !retainedTables.includes(table)));
    for (const word of [person.user.username, person.user.email, agent.agent.username])
      expect(text).not.toMatch(new RegExp(`\\b${word}\\b`));
    const users = await tandem.storage.read.selectFrom("users").select("id").where("id", "in", ids).execute();
    expect([users, rows.exports, rows.media, rows.media_files]).toEqual([[], [], [], []]);
    const files = [];
    for await (const { name } of tandem.services.media.store.list()) files.push(name);
    expect(files).toEqual([]);
    expect((await bob.readPost({ id: post.id })).post).toMatchObject({ likeCount: 0, commentCount: 2 });
    expect((await bob.listFollows()).follows).toEqual([]);
    expect((await bob.listNotifications()).unread).toBe(0);
  });
});

function namesOneOf(row: string, ids: number[]): boolean {
  return names.some((name) => ids.some((id) => row.split(" ").includes(`${name}=${id}`)));
}

describe.each(engines)("a retired large account on %s", (engine) => {
  const once = testOnce(engine);
  const clock = stoppedClock();
  const retire = async (tandem: Tandem, { user }: Person) => {
    await makeLarge(tandem, user.id);
    await tandem.storage.write((tx) => removeOrRetire(tx, user.id, clock.now()));
  };

  once("can't go live or publish, and gets neither notifications nor an export", async () => {
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await ada.createPost({ title: "The first" });
    const own = streamOf((await ada.startLive({ title: "Tea" })).ingest);
    const publishAt = new Date(clock.now() + 1000).toISOString();
    await ada.createDraft({ title: "Tomorrow", publishAt });
    await ada.createWebhook({ url: "https://example.org/hook" });
    await ada.startExport();
    await tandem.services.afterResponse.idle();
    await retire(tandem, ada);
    expect(await sendStreamEvent(tandem, "publish", own)).toBe(403);
    clock.pass(2000);
    await publishDue(tandem.services, new AbortController().signal);
    await bob.createComment({ id: post.id, body: "Are you there?" });
    await sweepExports(tandem.services);
    const rows = await dump(tandem.storage);
    expect([rows.posts?.length, rows.webhook_deliveries, rows.exports, rows.lives]).toEqual([1, [], [], []]);
    await removeRetired(tandem.services);
    expect((await dump(tandem.storage)).posts).toEqual([]);
  });

  test("loses all credentials, even one that was being issued", async () => {
    await using tandem = await startTandem(engine, { now: clock.now });
    const ada = await tandem.as.human();
    const key = await tandem.as.key(undefined, ada);
    const late = await tandem.storage.read
      .selectFrom("sessions")
      .selectAll()
      .where("user_id", "=", ada.user.id)
      .executeTakeFirstOrThrow();
    const lateKey = await tandem.storage.read.selectFrom("keys").selectAll().executeTakeFirstOrThrow();
    await retire(tandem, ada);
    // As left by a sign-in whose transaction ends after the deletion's.
    await tandem.storage.write((tx) => tx.insertInto("sessions").values(late).execute());
    await tandem.storage.write((tx) => tx.insertInto("keys").values(lateKey).execute());
    for (const caller of [ada, key]) expect((await caller.call("me")).status).toBe(401);
  });

  test("is removed once, even by several processes", async () => {
    await using tandem = await startTandem(engine, { now: clock.now });
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await bob.createPost({ title: "Bob's" });
    for (let i = 0; i < 3; i++) await ada.createComment({ id: post.id, body: `Said ${i}` });
    await ada.likePost({ id: post.id });
    await retire(tandem, ada);
    await Promise.all([1, 2, 3].map(() => removeRetired(tandem.services)));
    expect((await bob.readPost({ id: post.id })).post).toMatchObject({ likeCount: 0, commentCount: 0 });
    expect((await bob.analytics()).totals).toMatchObject({ likes: 0, comments: 0 });
    expect((await bob.listNotifications()).unread).toBe(0);
  });

  test("ends agents' sessions when the operator's password changes", async () => {
    await using tandem = await startTandem(engine, { now: clock.now });
    const ada = await tandem.as.human();
    const { agent } = await tandem.as.agent(ada);
    const changing = ada.changePassword({ currentPassword: password, password: "battery staple" });
    const opened = [];
    for (let open = true; open; ) {
      const eve = await tandem.as.anotherSession(ada).catch(() => null);
      const response = await eve?.call("openAgentSession", { id: agent.id });
      open = response?.status === 200;
      if (response && open) opened.push(tandem.as.with({ cookie: cookieOf(response) }));
    }
    await changing;
    for (const caller of opened) expect((await caller.call("me")).status).toBe(401);
    expect((await dump(tandem.storage)).sessions).toHaveLength(1);
  });
});
