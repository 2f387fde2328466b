import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decisionsOf } from "./removals.ts";

const reason = "Not about weaving";

describe.each(engines)("moderators of communities on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  const clock = { now: Date.UTC(2026, 0, 31) };
  beforeAll(async () => {
    tandem = await startTandem(engine, {
      now: () => clock.now,
      env: { HUMAN_WRITES_PER_MINUTE: "100000" },
    });
  });
  afterAll(() => tandem.stop());

  /** A community with an owner, a moderator and a member, who has a post in it with a comment. */
  async function makeWorld() {
    const name = communityName();
    const [owner, moderator, member] = [
      await tandem.as.human(),
      await tandem.as.human(),
      await tandem.as.human(),
    ];
    await owner.createCommunity({ name });
    for (const person of [moderator, member]) await person.joinCommunity({ name });
    await owner.setCommunityRole({ name, username: moderator.user.username, role: "moderator" });
    const { post } = await member.createPost({ title: `In ${name}`, community: name });
    const { comment } = await member.createComment({ id: post.id, body: `On ${name}` });
    return { name, owner, moderator, member, postId: post.id, commentId: comment.id };
  }

  const postsIn = async (name: string) =>
    (await tandem.as.anonymous().listPosts({ community: name, platform: "native" })).posts.map(
      ({ id }) => id,
    );

  async function admin(): Promise<Person> {
    const person = await tandem.as.human();
    await makeAdmin(tandem.storage, person);
    return person;
  }

  if (runsOnceTests(engine))
    test("remove and restore posts; the author learns why, gets no strike, and keeps every version", async () => {
      const { name, moderator, member, postId } = await makeWorld();
      await member.editPost({ id: postId, title: `Edited in ${name}` });
      const { decision } = await moderator.removeCommunityPost({ name, id: postId, reason });
      expect(decision).toMatchObject({ act: "community_remove_post", postId, reason, stands: true });
      expect(await postsIn(name)).toEqual([]);
      expect((await member.call("readPost", { id: postId })).body.error).toContain(reason);
      const { decisions } = await member.listDecisions();
      expect(decisions).toMatchObject([
        { id: decision.id, community: name, strike: false, automated: false },
      ]);
      const { notifications } = await member.listNotifications({ type: "moderation" });
      expect(notifications.map(({ decisionId }) => decisionId)).toEqual([decision.id]);
      const again = await moderator.removeCommunityPost({ name, id: postId, reason: "Again" });
      expect(again.decision).toEqual(decision);
      expect((await moderator.readCommunity({ name })).community.postCount).toBe(0);

      const { decision: undone } = await moderator.restoreCommunityPost({ name, id: postId });
      expect(undone).toMatchObject({ id: decision.id, stands: false });
      expect(await postsIn(name)).toEqual([postId]);
      expect(
        (await member.listPostVersions({ id: postId })).versions.map(({ cleared }) => cleared),
      ).not.toContain("moderator");
      expect((await moderator.listCommunityDecisions({ name })).decisions).toEqual([undone]);
    });

  once("remove and restore comments", async () => {
    const { name, owner, member, postId, commentId } = await makeWorld();
    await owner.removeCommunityComment({ name, id: commentId, reason });
    expect((await member.listComments({ id: postId })).comments[0]?.body).not.toContain(name);
    await owner.restoreCommunityComment({ name, id: commentId });
    expect((await member.listComments({ id: postId })).comments[0]?.body).toContain(name);
  });

  once("reach nothing outside their community", async () => {
    const [here, there] = [await makeWorld(), await makeWorld()];
    const { post } = await there.member.createPost({ title: "In no community" });
    const { name, owner } = here;
    for (const [operation, id] of [
      ["removeCommunityPost", there.postId],
      ["removeCommunityPost", post.id],
      ["pinCommunityPost", there.postId],
      ["unpinCommunityPost", there.postId],
      ["removeCommunityComment", there.commentId],
      ["restoreCommunityPost", there.postId],
      ["restoreCommunityComment", there.commentId],
    ] as const) {
      const { status } = await owner.call(operation, {
        ...{ name, id },
        ...(operation.startsWith("remove") && { reason }),
      });
      expect([operation, status]).toEqual([operation, 404]);
    }
    expect(await postsIn(there.name)).toEqual([there.postId]);
  });

  once("can't restore what the service's admins removed, whose removal replaces theirs", async () => {
    const { name, owner, member, postId } = await makeWorld();
    const chief = await admin();
    await owner.removeCommunityPost({ name, id: postId, reason });
    await chief.removePost({ id: postId, reason: "Fraud" });
    const refused = await owner.call("restoreCommunityPost", { name, id: postId });
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect((await owner.call("removeCommunityPost", { name, id: postId, reason })).status).toBe(404);
    const { decisions } = await member.listDecisions();
    expect(decisions.map(({ act, strike, stands }) => [act, strike, stands])).toEqual([
      ["remove_post", true, true],
      ["community_remove_post", false, false],
    ]);
  });

  once("are overruled by the service's admins when an appeal is accepted", async () => {
    const { name, owner, member, postId } = await makeWorld();
    const chief = await admin();
    const { decision } = await owner.removeCommunityPost({ name, id: postId, reason });
    const { username } = member.user;
    const { decision: ban } = await owner.banFromCommunity({ name, username, reason });
    for (const { id } of [decision, ban]) {
      await member.createAppeal({ decisionId: id, text: "It is about weaving." });
      await chief.answerAppeal({ id, accept: true, answer: "It is." });
    }
    expect(await postsIn(name)).toEqual([postId]);
    expect((await member.joinCommunity({ name })).joined).toBe(true);
    expect((await owner.listCommunityBans({ name })).bans).toEqual([]);
    for (const refused of [
      await owner.call("removeCommunityPost", { name, id: postId, reason }),
      await owner.call("banFromCommunity", { name, username, reason }),
    ]) {
      expect(refused.body.code).toBe("forbidden");
      expect(refused.body.error).toContain("on appeal");
    }
    expect(await postsIn(name)).toEqual([postId]);
  });

  once("learn nothing of what the service decided about a visible post", async () => {
    const { name, owner, postId, commentId } = await makeWorld();
    const chief = await admin();
    await chief.removePost({ id: postId, reason: "Fraud" });
    await chief.restorePost({ id: postId });
    await chief.removeComment({ id: commentId, reason: "Fraud" });
    await chief.restoreComment({ id: commentId });
    for (const refused of [
      await owner.call("restoreCommunityPost", { name, id: postId }),
      await owner.call("restoreCommunityComment", { name, id: commentId }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
      expect(JSON.stringify(refused.body)).not.toContain("Fraud");
    }
  });

  once("ban accounts with a reason and an end, and lift bans", async () => {
    const { name, owner, moderator, member, postId, commentId } = await makeWorld();
    const { username } = member.user;
    const until = new Date(clock.now + DAY).toISOString();
    const { decision } = await moderator.banFromCommunity({ name, username, reason, until });
    expect(decision).toMatchObject({ act: "community_ban", username, until });
    const attempts = () =>
      Promise.all([
        member.call("createPost", { title: `Again ${name}`, community: name }),
        member.call("createComment", { id: postId, body: `Again ${name} ${clock.now}` }),
        member.call("editComment", { id: commentId, body: `Edited ${name} ${clock.now}` }),
        member.call("joinCommunity", { name }),
      ]);
    for (const { status, body } of await attempts()) {
      expect([status, body.code]).toEqual([403, "community_banned"]);
      expect(body.error).toBe(`Banned from the community ${name} until ${until}: ${reason}`);
    }
    const { community } = await member.readCommunity({ name });
    expect([community.role, community.memberCount]).toEqual(["banned", 2]);
    expect((await owner.listCommunityBans({ name })).bans).toMatchObject([{ username, reason, until }]);
    expect((await owner.listCommunityMembers({ name })).members.map((each) => each.username)).not.toContain(
      username,
    );
    expect((await member.listCommunities({ mine: 1 })).communities).toEqual([]);

    clock.now += DAY;
    expect((await owner.listCommunityBans({ name })).bans).toEqual([]);
    expect((await owner.call("liftCommunityBan", { name, username })).status).toBe(404);
    expect((await member.joinCommunity({ name })).community).toMatchObject({
      role: "member",
      memberCount: 3,
    });

    await owner.banFromCommunity({ name, username, reason });
    await owner.banFromCommunity({ name, username, reason: "Advertising" });
    expect((await owner.listCommunityBans({ name })).bans).toMatchObject([
      { reason: "Advertising", until: null },
    ]);
    await owner.liftCommunityBan({ name, username });
    expect((await member.joinCommunity({ name })).community.memberCount).toBe(3);
    const standing = (await member.listDecisions()).decisions.filter(({ stands }) => stands);
    expect(standing).toEqual([]);
    expect(
      (await owner.call("banFromCommunity", { name, username, reason, until: "2020-01-01T00:00:00Z" })).body,
    ).toMatchObject({ code: "invalid_input", field: "until" });
  });

  once("ban people together with their agents, and neither themselves nor each other", async () => {
    const { name, owner, moderator, member, postId } = await makeWorld();
    const agent = await tandem.as.agent(member);
    await agent.joinCommunity({ name });
    await owner.banFromCommunity({ name, username: member.user.username, reason });
    const refused = await agent.call("createComment", { id: postId, body: `By an agent in ${name}` });
    expect(refused.body.code).toBe("community_banned");
    const own = await moderator.call("banFromCommunity", { name, username: moderator.user.username, reason });
    expect(own.body).toMatchObject({ code: "invalid_input", field: "username" });
    const up = await moderator.call("banFromCommunity", { name, username: owner.user.username, reason });
    expect([up.status, up.body.code]).toEqual([403, "forbidden"]);
  });

  once("notify only accounts that took part there, and once", async () => {
    const { name, owner, moderator, member, postId } = await makeWorld();
    const [stranger, commenter, blocker] = [
      await tandem.as.human(),
      await tandem.as.human(),
      await tandem.as.human(),
    ];
    await commenter.createComment({ id: postId, body: `From outside ${name}` });
    await blocker.joinCommunity({ name });
    await blocker.block({ username: owner.user.username });
    const chief = await admin();
    await chief.suspendAccount({ id: stranger.user.id, reason: "Fraud" });
    await chief.liftSuspension({ id: stranger.user.id });
    for (const { user } of [stranger, commenter, blocker, member])
      for (const by of [owner, moderator].slice(0, user.id === blocker.user.id ? 1 : 2))
        await by.banFromCommunity({ name, username: user.username, reason });
    await owner.liftCommunityBan({ name, username: stranger.user.username });
    const bansSeenBy = async (person: Person) => {
      const { decisions } = await person.listDecisions();
      const bans = decisions.filter(({ act }) => act === "community_ban").map(({ id }) => id);
      const { notifications } = await person.listNotifications({ type: "moderation" });
      return notifications.filter(({ decisionId }) => bans.includes(decisionId ?? 0)).length;
    };
    expect(
      await Promise.all([stranger, commenter, blocker, member].map((person) => bansSeenBy(person))),
    ).toEqual([0, 1, 0, 1]);
    const { decisions } = await chief.readAccount({ id: stranger.user.id });
    expect(decisions.map(({ act }) => act)).toEqual(["suspend"]);
    await commenter.createReport({ username: stranger.user.username, reason });
    const [onStranger] = (await chief.listCases({ kind: "account", limit: 1 })).cases;
    expect(onStranger?.pastDecisions.map(({ act }) => act)).toEqual(["suspend"]);
  });

  once("ban only so many accounts in a day", async () => {
    await using other = await startTandem(engine, {
      env: { LIMIT_THROTTLES_COMMUNITY_BANS_PER_ACCOUNT_LIMIT: "1" },
    });
    const [owner, ada, bob] = [await other.as.human(), await other.as.human(), await other.as.human()];
    await owner.createCommunity({ name: "weaving" });
    await owner.banFromCommunity({ name: "weaving", username: ada.user.username, reason });
    const second = { name: "weaving", username: bob.user.username, reason };
    expect((await owner.call("banFromCommunity", second)).body.code).toBe("rate_limited");
  });

  test("pin a few posts; a removed one isn't pinned any more", async () => {
    const { name, owner, member, postId } = await makeWorld();
    const pins = async () => (await tandem.as.anonymous().readCommunity({ name })).pinnedPostIds;
    const ids = [postId];
    for (let i = 0; i < limits.communityPins; i += 1) {
      const { post } = await member.createPost({ title: `Post ${i} in ${name}`, community: name });
      ids.push(post.id);
    }
    const [last = 0, ...others] = ids.toReversed();
    for (const id of others) {
      clock.now += 1;
      await owner.pinCommunityPost({ name, id });
    }
    await owner.pinCommunityPost({ name, id: postId });
    expect(await pins()).toEqual(others.toReversed());
    const refused = await owner.call("pinCommunityPost", { name, id: last });
    expect([refused.status, refused.body.code]).toEqual([403, "pin_limit"]);
    await owner.unpinCommunityPost({ name, id: postId });
    await owner.pinCommunityPost({ name, id: last });
    await owner.removeCommunityPost({ name, id: last, reason });
    await owner.restoreCommunityPost({ name, id: last });
    expect(await pins()).not.toContain(last);
    expect(await pins()).toHaveLength(limits.communityPins - 1);
  });

  test("are in the audit log, with the community's name", async () => {
    const { name, owner, member, postId } = await makeWorld();
    const chief = await admin();
    const { username, id } = member.user;
    const agent = await tandem.as.agent(member);
    await agent.joinCommunity({ name });
    // What changes nothing isn't recorded.
    for (let i = 0; i < 2; i += 1) await owner.pinCommunityPost({ name, id: postId });
    for (let i = 0; i < 2; i += 1) await owner.removeCommunityPost({ name, id: postId, reason });
    for (let i = 0; i < 2; i += 1) await owner.restoreCommunityPost({ name, id: postId });
    for (let i = 0; i < 2; i += 1) await owner.editCommunity({ name, rules: "Be kind." });
    for (let i = 0; i < 2; i += 1)
      await owner.approveCommunityAgent({ name, username: agent.agent.username });
    for (let i = 0; i < 2; i += 1) await owner.setCommunityRole({ name, username, role: "moderator" });
    await owner.setCommunityRole({ name, username, role: "member" });
    await owner.banFromCommunity({ name: name.toUpperCase(), username, reason });
    await owner.liftCommunityBan({ name, username });
    for (let i = 0; i < 2; i += 1) await owner.closeCommunity({ name });
    const { entries } = await chief.listAudit({ actor: owner.user.username });
    expect(entries.toReversed().map(({ act, target }) => [act, target])).toEqual([
      // The moderator of this world.
      ["setCommunityRole", expect.any(String)],
      ["pinCommunityPost", `post:${postId}`],
      ["removeCommunityPost", `post:${postId}`],
      ["restoreCommunityPost", `post:${postId}`],
      ["editCommunity", expect.stringMatching(/^community:\d+$/)],
      ["approveCommunityAgent", `user:${agent.agent.id}`],
      ["setCommunityRole", `user:${id}`],
      ["setCommunityRole", `user:${id}`],
      ["banFromCommunity", `user:${id}`],
      ["liftCommunityBan", `user:${id}`],
      ["closeCommunity", expect.stringMatching(/^community:\d+$/)],
    ]);
    for (const { detail } of entries) expect(JSON.parse(detail).name).toBe(name);
  });

  test("and their decisions are counted apart from the service's, and read along an index", async () => {
    await using other = await startTandem(engine);
    const [owner, member, chief] = [await other.as.human(), await other.as.human(), await other.as.human()];
    await makeAdmin(other.storage, chief);
    await owner.createCommunity({ name: "weaving" });
    await member.joinCommunity({ name: "weaving" });
    const { post } = await member.createPost({ title: "On tea", community: "weaving" });
    await owner.removeCommunityPost({ name: "weaving", id: post.id, reason });
    await owner.restoreCommunityPost({ name: "weaving", id: post.id });
    await owner.banFromCommunity({ name: "weaving", username: member.user.username, reason });
    const { totals } = (await other.as.anonymous().readTransparency()).transparency;
    expect(totals.communityRemovals).toEqual({ posts: 1, comments: 0, bans: 1, undone: 1 });
    expect(totals.removals).toEqual({
      posts: 0,
      comments: 0,
      pictures: 0,
      communities: 0,
      suspensions: 0,
      held: 0,
      undone: 0,
    });
    expect((await chief.readNumbers({ days: 1 })).days[0]?.decisions).toBe(0);
    await other.storage.write((tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
        insert into decisions (act, user_id, excerpt, reason, automated, created_at)
        select 'suspend', ${member.user.id}, '', '', 0, i from n`.execute(tx),
    );
    await other.storage.write((tx) => sql`analyze`.execute(tx));
    const { read } = other.storage;
    const query = decisionsOf(read, 1, { below: 9999, limit: 20 });
    const plan = await (engine === "sqlite" ? query.explain(undefined, sql`query plan`) : query.explain());
    expect(JSON.stringify(plan)).toContain("decisions_by_community");
  });
});
