import { DAY, HOUR } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { charge } from "../../http/quota.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { dueDraft, publishDue } from "./scheduled.ts";

describe.each(engines)("drafts and scheduled posts on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
  });
  beforeEach(async () => {
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  const ahead = (time: number) => new Date(clock.now() + time).toISOString();
  const publish = () => publishDue(tandem.services, new AbortController().signal);
  const titles = async (author: string) =>
    (await tandem.as.anonymous().listPosts({ author })).posts.map(({ title }) => title);

  once("stores, edits and publishes a draft as its author", async () => {
    const { draft } = await ada.createDraft({ title: "Notes", provenance: "ai_assisted" });
    expect(draft).toMatchObject({
      state: "kept",
      title: "Notes",
      publishAt: null,
      author: ada.user.username,
    });
    await publish();
    const changed = await ada.editDraft({ id: draft.id, title: "Better notes", body: "Of looms." });
    expect(changed.draft).toMatchObject({
      title: "Better notes",
      body: "Of looms.",
      provenance: "ai_assisted",
    });
    expect(await titles(ada.user.username)).toEqual([]);
    const { postId } = await ada.publishDraft({ id: draft.id });
    const { post } = await ada.readPost({ id: Number(postId) });
    expect(post).toMatchObject({ title: "Better notes", body: "Of looms.", provenance: "ai_assisted" });
    expect((await ada.call("publishDraft", { id: draft.id })).status).toBe(404);
  });

  test("lets a person declare again what a draft is, but neither a key nor an agent", async () => {
    const key = await tandem.as.key(["posts:write"], ada);
    const agent = await tandem.as.agent(ada);
    const published = async (caller: Person | typeof key, id: number) => {
      const { postId } = await caller.publishDraft({ id });
      return (await ada.readPost({ id: Number(postId) })).post.provenance;
    };
    const { draft } = await ada.createDraft({ title: "Notes", provenance: "human" });
    const { draft: changed } = await ada.editDraft({ id: draft.id, provenance: "ai_assisted" });
    expect(changed).toMatchObject({ title: "Notes", provenance: "ai_assisted" });
    expect(await published(ada, draft.id)).toBe("ai_assisted");
    const byKey = (await ada.createDraft({ title: "Notes", provenance: "human" })).draft;
    await key.editDraft({ id: byKey.id, provenance: "human" });
    await ada.editDraft({ id: byKey.id, provenance: "human" });
    expect(await published(ada, byKey.id)).toBe("ai_generated");
    const byAgent = (await agent.createDraft({ title: "Notes" })).draft;
    expect((await agent.editDraft({ id: byAgent.id, provenance: "human" })).draft.provenance).toBe(
      "ai_generated",
    );
    expect(await published(agent as never, byAgent.id)).toBe("ai_generated");
    const wrong = await ada.call("editDraft", { id: 1, provenance: "robot" });
    expect(wrong.body).toMatchObject({ code: "invalid_input", field: "provenance" });
  });

  once("always publishes a person's draft that a key edited as AI content", async () => {
    const key = await tandem.as.key(["posts:write"], ada);
    const publishers = [
      (id: number) => ada.publishDraft({ id }),
      (id: number) => key.publishDraft({ id }),
      async (id: number) => {
        await ada.editDraft({ id, title: "Edited by ada, too", publishAt: ahead(HOUR) });
        clock.pass(HOUR);
        await publish();
      },
      async (id: number) => {
        await key.editDraft({ id, publishAt: ahead(HOUR) });
        clock.pass(HOUR);
        await publish();
      },
    ];
    for (const publishWith of publishers) {
      const { draft } = await ada.createDraft({ title: ".", provenance: "human" });
      const edited = await key.editDraft({ id: draft.id, title: "Rewritten by AI" });
      expect([draft.provenance, edited.draft.provenance]).toEqual(["human", "ai_generated"]);
      await publishWith(draft.id);
    }
    const { posts } = await ada.listPosts({ author: ada.user.username });
    expect(posts.map(({ provenance }) => provenance)).toEqual(publishers.map(() => "ai_generated"));
    const unchanged = await ada.createDraft({ title: "By ada" });
    const { postId } = await ada.publishDraft({ id: unchanged.draft.id });
    expect((await ada.readPost({ id: Number(postId) })).post.provenance).toBe("human");
  });

  test("publishes a scheduled post once when it is due, even with concurrent runs", async () => {
    const agent = await tandem.as.agent(ada);
    const { draft } = await agent.createDraft({ title: "Tomorrow", publishAt: ahead(DAY) });
    expect(draft).toMatchObject({ state: "scheduled", publishAt: ahead(DAY) });
    clock.pass(23 * HOUR);
    await publish();
    expect(await titles(agent.agent.username)).toEqual([]);
    clock.pass(HOUR);
    await Promise.all([publish(), publish(), publish()]);
    expect(await titles(agent.agent.username)).toEqual(["Tomorrow"]);
    expect((await agent.listDrafts()).drafts).toEqual([]);
    const { posts } = await ada.listPosts({ author: agent.agent.username });
    expect(posts[0]).toMatchObject({ provenance: "ai_generated", postedAt: ahead(0) });
  });

  test("charges quotas on publication, and retries when an exhausted quota resets", async () => {
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, caps: { posts: 1 } });
    for (const title of ["First", "Second"]) await agent.createDraft({ title, publishAt: ahead(HOUR) });
    clock.pass(HOUR);
    await publish();
    expect(await titles(agent.agent.username)).toEqual(["First"]);
    expect((await agent.listDrafts()).drafts).toMatchObject([
      { title: "Second", state: "scheduled", lastError: expect.stringContaining("1 posts") },
    ]);
    clock.pass(DAY);
    await publish();
    expect(await titles(agent.agent.username)).toEqual(["Second", "First"]);
  });

  test("unschedules a draft that fails permanently, and notifies its author why", async () => {
    const { post } = await ada.createPost({ title: "Pot" });
    const { draft } = await ada.createDraft({ title: "Pots", quoteId: post.id, publishAt: ahead(HOUR) });
    await ada.deletePost({ id: post.id });
    clock.pass(HOUR);
    await publish();
    expect((await ada.listDrafts()).drafts).toMatchObject([
      { id: draft.id, state: "kept", publishAt: null, lastError: "There is no such post to quote." },
    ]);
    expect((await ada.listNotifications()).notifications.map(({ type }) => type)).toEqual(["draft_failed"]);
  });

  test("doesn't publish for a revoked or paused key, and unschedules the draft after a long pause", async () => {
    const agent = await tandem.as.agent(ada);
    await agent.createDraft({ title: "Of a revoked key", publishAt: ahead(HOUR) });
    await ada.revokeKey({ id: agent.keyId });
    const other = await tandem.as.agent(ada);
    await other.createDraft({ title: "Of a paused one", publishAt: ahead(HOUR) });
    await ada.editAgent({ id: other.agent.id, paused: true });
    for (let i = 0; i < 8; i++) {
      clock.pass(4 * HOUR);
      await publish();
    }
    expect((await ada.listDrafts()).drafts).toMatchObject([
      { title: "Of a paused one", state: "kept", lastError: expect.stringContaining("paused") },
      { title: "Of a revoked key", state: "kept", lastError: expect.stringContaining("revoked") },
    ]);
    expect(await titles(other.agent.username)).toEqual([]);
  });

  test("a schedule by a key that needs approval is published only once approved", async () => {
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
    const make = (title: string) => pendingDraft(agent.createDraft({ title, publishAt: ahead(HOUR) }));
    const [agreed, open] = [await make("Agreed"), await make("Open")];
    const { drafts } = await ada.listDrafts();
    expect(drafts.map(({ state }) => state)).toEqual(["pending", "pending"]);
    expect(await ada.approveDraft({ id: agreed })).toMatchObject({
      published: false,
      draft: { state: "scheduled" },
      postId: null,
    });
    clock.pass(HOUR);
    await publish();
    expect(await titles(agent.agent.username)).toEqual(["Agreed"]);
    expect((await ada.approveDraft({ id: open })).published).toBe(true);
  });

  test("requests approval on the due date if the key needs approval since", async () => {
    const agent = await tandem.as.agent(ada);
    const { draft } = await agent.createDraft({ title: "Early", publishAt: ahead(HOUR) });
    await ada.editKey({ id: agent.keyId, approval: true });
    clock.pass(HOUR);
    await publish();
    expect((await ada.listDrafts()).drafts).toMatchObject([{ id: draft.id, state: "pending" }]);
    expect(await titles(agent.agent.username)).toEqual([]);
  });

  test("charges quotas last, as every write does, so that it can't deadlock with one", async () => {
    if (engine === "sqlite") return;
    const agent = await tandem.as.agent(ada);
    await agent.createDraft({ title: "Tomorrow", publishAt: ahead(HOUR) });
    clock.pass(HOUR);
    const { storage } = tandem;
    let publishing = Promise.resolve();
    await storage.write(async (tx) => {
      await lockAccount(tx, agent.agent.id);
      // Sends the lock, which otherwise waits for the next statement.
      await sql`select 1`.execute(tx);
      publishing = publish();
      const isWaiting = async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(storage.read);
        return rows.length > 0;
      };
      await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
      // Another write with the account's lock, at its end. Shorter than the time after which a deadlock is resolved.
      await sql`set local lock_timeout = '500ms'`.execute(tx);
      const allowances = [{ name: "posts" as const, limit: 100, seconds: 60 }];
      await charge(tx, `keys:${agent.agent.id}`, allowances, clock.now());
    });
    await publishing;
    expect(await titles(agent.agent.username)).toEqual(["Tomorrow"]);
  });

  test("finds due drafts by index", async () => {
    const { sql: text, parameters } = dueDraft(tandem.storage.read, clock.now()).compile();
    await tandem.storage.write(async (tx) => {
      const explain = engine === "sqlite" ? "explain query plan " : "explain ";
      if (engine === "postgres") await sql`set local enable_seqscan = off`.execute(tx);
      const { rows } = await tx.executeQuery({
        ...sql.raw(explain + text).compile(tx),
        parameters,
      });
      expect(JSON.stringify(rows)).toContain("drafts_due");
    });
  });
});
