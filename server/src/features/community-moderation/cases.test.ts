import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queueOf } from "./cases.ts";

const reason = "Advertising";

describe.each(engines)("reports in communities on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let chief: Person;
  beforeAll(async () => {
    const env = {
      ...{ HUMAN_WRITES_PER_MINUTE: "100000", LIMIT_HOLDING_REPORTS: "1" },
      ...{ LIMIT_HOLDING_ACCOUNT_DAYS: "0", LIMIT_HOLDING_FULL_WEIGHT_DAYS: "0" },
    };
    tandem = await startTandem(engine, { env });
    chief = await tandem.as.human();
    await makeAdmin(tandem.storage, chief);
  });
  afterAll(() => tandem.stop());

  /** A community with a moderator, and a post and a comment in it that someone else may report. */
  async function makeWorld() {
    const name = communityName();
    const [owner, author, reporter] = [
      await tandem.as.human(),
      await tandem.as.human(),
      await tandem.as.human(),
    ];
    await owner.createCommunity({ name });
    await author.joinCommunity({ name });
    const { post } = await author.createPost({ title: `In ${name}`, community: name });
    const { comment } = await author.createComment({ id: post.id, body: `On ${name}` });
    return { name, owner, author, reporter, postId: post.id, commentId: comment.id };
  }

  const queue = async (owner: Person, name: string) => (await owner.listCommunityCases({ name })).cases;
  const adminCase = async (kind: string, id: number) =>
    (await chief.listCases({ limit: 50 })).cases.find(
      ({ target }) => target.kind === kind && target.id === id,
    );
  /** What the reader sees of a post. */
  const isShown = async (id: number) => (await tandem.as.anonymous().call("readPost", { id })).status === 200;

  /** Old enough not to be held back after a report. */
  async function trust(person: Person): Promise<void> {
    await tandem.storage.write((tx) =>
      tx.updateTable("users").set({ created_at: 0 }).where("id", "=", person.user.id).execute(),
    );
  }

  once("notify moderators when the queue is no longer empty, once until they have read that", async () => {
    const { name, owner, author, reporter, postId, commentId } = await makeWorld();
    const moderator = await tandem.as.human();
    await moderator.joinCommunity({ name });
    await owner.setCommunityRole({ name, username: moderator.user.username, role: "moderator" });
    await trust(author);
    const told = async (person: Person) =>
      (await person.listNotifications({ type: "community_reports" })).notifications;
    await reporter.createReport({ postId, reason });
    await owner.createReport({ postId, reason });
    await reporter.createReport({ commentId, reason });
    for (const person of [owner, moderator])
      expect(await told(person)).toMatchObject([
        { community: name, actor: { username: person.user.username }, postId: null, excerpt: null },
      ]);
    expect([await told(author), await told(reporter)]).toEqual([[], []]);

    const settle = async () => {
      const ids = (await queue(owner, name)).map(({ id }) => id);
      await owner.resolveCommunityReports({ name, ids, action: "dismiss", reason });
    };
    await settle();
    // One has read it, the other hasn't. Who reports isn't told of it.
    await owner.markNotificationsRead({});
    await reporter.createReport({ postId, reason });
    expect([(await told(owner)).length, (await told(moderator)).length]).toEqual([2, 1]);
    await settle();
    await owner.markNotificationsRead({});
    await moderator.markNotificationsRead({});
    await owner.createReport({ commentId, reason });
    expect([(await told(owner)).length, (await told(moderator)).length]).toEqual([2, 2]);
    const { people } = await owner.notificationPreferences();
    expect(people).toContain("community_reports");
  });

  once("reach moderators, who don't see who reported, and resolve them for the admins too", async () => {
    const { name, owner, author, reporter, postId, commentId } = await makeWorld();
    await trust(author);
    await reporter.createReport({ postId, reason, note: "A shop" });
    await reporter.createReport({ commentId, reason: "Rude" });
    const cases = await queue(owner, name);
    expect(cases.map(({ target, reasons, notes }) => [target.kind, target.id, reasons, notes])).toEqual([
      ["comment", commentId, ["Rude"], [null]],
      ["post", postId, [reason], ["A shop"]],
    ]);
    expect(JSON.stringify(cases)).not.toContain(reporter.user.username);
    expect(await adminCase("post", postId)).toMatchObject({
      ...{ community: name, forAdmins: false, illegal: false, communityOutcome: null },
    });
    expect((await chief.listCases({ forAdmins: 1 })).cases).not.toContainEqual(
      expect.objectContaining({ community: name }),
    );
    const [onComment, onPost] = cases.map(({ id }) => id);
    await owner.resolveCommunityReports({ name, ids: [onPost ?? 0], action: "remove", reason });
    const { cases: resolved } = await owner.resolveCommunityReports({
      ...{ name, ids: [onComment ?? 0], action: "dismiss", reason: "It is polite." },
    });
    expect(resolved).toMatchObject([{ state: "resolved", outcome: "dismissed" }]);
    expect(await isShown(postId)).toBe(false);
    expect((await author.listDecisions()).decisions).toMatchObject([
      { act: "community_remove_post", community: name, strike: false, reason },
    ]);
    const outcomes = (await reporter.listReports()).reports.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["dismissed", "removed"]);
    expect([await adminCase("post", postId), await adminCase("comment", commentId)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await queue(owner, name)).toEqual([]);
    const { cases: past } = await owner.listCommunityCases({ name, state: "resolved" });
    expect(past.map(({ outcome }) => outcome)).toEqual(["dismissed", "removed"]);
    const { entries } = await chief.listAudit({ actor: owner.user.username });
    expect(entries.map(({ act, target, detail }) => [act, target, JSON.parse(detail)])).toEqual([
      [
        "resolveCommunityReports",
        `comment:${commentId}`,
        { name, action: "dismiss", reason: "It is polite." },
      ],
      ["resolveCommunityReports", `post:${postId}`, { name, action: "remove", reason }],
    ]);
  });

  if (runsOnceTests(engine))
    test.each([
      ["it is illegal", { illegal: true }],
      ["admins shall review it", { toAdmins: true }],
    ])("stay open for admins after a dismissal if a report says that %s", async (_, says) => {
      const { name, owner, author, reporter, postId } = await makeWorld();
      await trust(author);
      await owner.createReport({ postId, reason });
      await reporter.createReport({ postId, reason, ...says });
      const [open] = await queue(owner, name);
      expect(open).toMatchObject({ forAdmins: true, illegal: "illegal" in says });
      await owner.resolveCommunityReports({ name, ids: [open?.id ?? 0], action: "dismiss", reason });
      expect(await queue(owner, name)).toEqual([]);
      const left = await adminCase("post", postId);
      expect(left).toMatchObject({ state: "open", communityOutcome: "dismissed", forAdmins: true });
      expect((await chief.listCases({ forAdmins: 1, limit: 50 })).cases).toContainEqual(left);
      await chief.resolveReports({ ids: [left?.id ?? 0], action: "remove", reason });
      expect((await author.listDecisions()).decisions).toMatchObject([{ act: "remove_post", strike: true }]);
    });

  once("stay open for admins after a removal, too, who don't restore by dismissing", async () => {
    const { name, owner, author, reporter, postId } = await makeWorld();
    await trust(author);
    await reporter.createReport({ postId, reason, illegal: true });
    const [open] = await queue(owner, name);
    await owner.resolveCommunityReports({ name, ids: [open?.id ?? 0], action: "remove", reason });
    const left = await adminCase("post", postId);
    expect(left).toMatchObject({ state: "open", communityOutcome: "removed", held: false });
    await chief.resolveReports({ ids: [left?.id ?? 0], action: "dismiss", reason });
    expect(await isShown(postId)).toBe(false);
    await owner.restoreCommunityPost({ name, id: postId });
    expect(await isShown(postId)).toBe(true);
  });

  once("need admins if they are about those who run the community", async () => {
    const { name, owner, reporter, author } = await makeWorld();
    const { post } = await owner.createPost({ title: `Own ${name}`, community: name });
    await reporter.createReport({ postId: post.id, reason });
    expect(await adminCase("post", post.id)).toMatchObject({ forAdmins: true });
    const { post: elsewhere } = await author.createPost({ title: `Outside ${name}` });
    await reporter.createReport({ postId: elsewhere.id, reason });
    expect(await adminCase("post", elsewhere.id)).toMatchObject({ forAdmins: true, community: null });
  });

  once("that hold a post back: moderators release it, unless admins have to decide", async () => {
    const [plain, illegal] = [await makeWorld(), await makeWorld()];
    for (const { reporter, postId } of [plain, illegal])
      await reporter.createReport({ postId, reason, ...(postId === illegal.postId && { illegal: true }) });
    expect([await isShown(plain.postId), await isShown(illegal.postId)]).toEqual([false, false]);
    for (const { name, owner } of [plain, illegal]) {
      const [open] = await queue(owner, name);
      expect(open?.held).toBe(true);
      await owner.resolveCommunityReports({ name, ids: [open?.id ?? 0], action: "dismiss", reason });
    }
    expect([await isShown(plain.postId), await isShown(illegal.postId)]).toEqual([true, false]);
    expect(await adminCase("post", illegal.postId)).toMatchObject({ held: true, state: "open" });
  });

  test("hold what its author can't release, who runs the community", async () => {
    const { name, owner, author, reporter, postId, commentId } = await makeWorld();
    const { post } = await owner.createPost({ title: `Own ${name}`, community: name });
    for (const target of [{ commentId }, { postId: post.id }, { postId }])
      await reporter.createReport({ ...target, reason });
    // Who became a moderator after the report can't, either.
    await owner.setCommunityRole({ name, username: author.user.username, role: "moderator" });
    const ids = (await queue(owner, name)).map(({ id }) => id);
    for (const [person, id] of [
      [owner, post.id],
      [author, postId],
    ] as const)
      for (const operation of ["removeCommunityPost", "restoreCommunityPost"] as const) {
        const { status } = await person.call(operation, {
          ...{ name, id },
          ...(operation === "removeCommunityPost" && { reason }),
        });
        expect([operation, status]).toEqual([operation, 403]);
      }
    const onComment = await author.call("removeCommunityComment", { name, id: commentId, reason });
    expect(onComment.body.code).toBe("forbidden");
    await author.resolveCommunityReports({ name, ids: ids.slice(0, 2), action: "remove", reason });
    await author.resolveCommunityReports({ name, ids: ids.slice(2), action: "dismiss", reason });
    for (const [kind, id] of [
      ["post", post.id],
      ["post", postId],
      ["comment", commentId],
    ] as const)
      expect(await adminCase(kind, id)).toMatchObject({ held: true, state: "open", forAdmins: true });
    await chief.resolveReports({ ids, action: "dismiss", reason });
    expect([await isShown(post.id), await isShown(postId)]).toEqual([true, true]);
  });

  once("don't count as reviewed because a community removed and restored a post", async () => {
    const { name, owner, reporter, postId } = await makeWorld();
    await owner.removeCommunityPost({ name, id: postId, reason });
    await owner.restoreCommunityPost({ name, id: postId });
    await reporter.createReport({ postId, reason });
    expect(await isShown(postId)).toBe(false);
    expect(await adminCase("post", postId)).toMatchObject({ held: true });
  });

  once("let admins suspend the author of what its community removed, which is no strike", async () => {
    const { name, owner, author, reporter, postId } = await makeWorld();
    await trust(author);
    await reporter.createReport({ postId, reason, illegal: true });
    await owner.removeCommunityPost({ name, id: postId, reason });
    const left = await adminCase("post", postId);
    await chief.resolveReports({ ids: [left?.id ?? 0], action: "suspend", reason });
    const { decisions } = await author.listDecisions();
    expect(decisions.map(({ act, strike, stands }) => [act, strike, stands])).toEqual([
      ["suspend", false, true],
      ["community_remove_post", false, true],
    ]);
  });

  once("are for the moderators of their community alone", async () => {
    const [here, there] = [await makeWorld(), await makeWorld()];
    await there.reporter.createReport({ postId: there.postId, reason });
    const [foreign] = await queue(there.owner, there.name);
    const ids = [foreign?.id ?? 0];
    const { status } = await here.owner.call("resolveCommunityReports", {
      ...{ name: here.name, ids, action: "remove", reason },
    });
    expect(status).toBe(404);
    expect(await queue(here.owner, here.name)).toEqual([]);
    expect(await queue(there.owner, there.name)).toHaveLength(1);
    await chief.resolveReports({ ids, action: "dismiss", reason });
    expect(await queue(there.owner, there.name)).toEqual([]);
  });

  test("are read along an index", async () => {
    await tandem.storage.write((tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
        insert into report_cases (kind, target_id, state, recent_since, created_at, newest_at)
        select 'account', 1000000 + i, 'resolved', 0, 0, 0 from n`.execute(tx),
    );
    await tandem.storage.write((tx) => sql`analyze`.execute(tx));
    const query = queueOf(tandem.storage.read, 1, { state: "open", below: 100_000, limit: 20 });
    const plan = await (engine === "sqlite" ? query.explain(undefined, sql`query plan`) : query.explain());
    expect(JSON.stringify(plan)).toContain("report_cases_by_community");
  });
});
