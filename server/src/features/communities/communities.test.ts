import type { CommunityRole } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import type { Caller } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db } from "../../storage/storage.ts";

const password = "correct horse";

describe.each(engines)("communities on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  test("have names that are lowercase, unique, and none that are reserved", async () => {
    const ada = await tandem.as.human();
    const refused = async (name: string) => {
      const { body } = await ada.call("createCommunity", { name });
      return [body.code, body.field];
    };
    for (const name of ["ab", "Weaving", "we aving", "we-aving", "admin", "x".repeat(41)])
      expect([name, ...(await refused(name))]).toEqual([name, "invalid_name", "name"]);
    await ada.createCommunity({ name: "names_1" });
    expect(await refused("names_1")).toEqual(["name_taken", "name"]);
    expect((await ada.readCommunity({ name: "NAMES_1" })).community.name).toBe("names_1");
  });

  once("are created by people's sessions alone", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    const codeOf = async (caller: typeof agent) =>
      (await caller.call("createCommunity", { name: "by_agent" })).body.code;
    expect(await codeOf(agent)).toBe("session_required");
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect((await session.call("createCommunity", { name: "by_agent" })).body.code).toBe("agent_forbidden");
  });

  test("are limited per account: how many someone owns, and how many they join", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    await tandem.storage.write((tx) => plantMemberships(tx, ada.user.id, limits.communitiesOwned, "owner"));
    const owned = await ada.call("createCommunity", { name: "one_too_many" });
    expect([owned.status, owned.body.code]).toEqual([403, "community_limit"]);
    await bob.createCommunity({ name: "handed_over" });
    await ada.joinCommunity({ name: "handed_over" });
    const { username } = ada.user;
    const handed = await bob.call("setCommunityRole", { name: "handed_over", username, role: "owner" });
    expect(handed.body.code).toBe("community_limit");

    const cleo = await tandem.as.human();
    const room = limits.communitiesPerAccount - 1;
    await tandem.storage.write((tx) => plantMemberships(tx, cleo.user.id, room, "member"));
    await cleo.joinCommunity({ name: "handed_over" });
    await bob.createCommunity({ name: "no_room" });
    expect((await cleo.call("joinCommunity", { name: "no_room" })).body.code).toBe("community_limit");
    expect((await cleo.call("createCommunity", { name: "no_room_either" })).body.code).toBe(
      "community_limit",
    );
    await cleo.leaveCommunity({ name: "handed_over" });
    expect((await cleo.joinCommunity({ name: "no_room" })).joined).toBe(true);
  });

  once("show what they are, who runs them and what the reader is in them", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const texts = { description: "Looms.", rules: "Be kind." };
    await ada.createCommunity({ name: "shown", ...texts, aiPolicy: "marked" });
    await bob.joinCommunity({ name: "shown" });
    await bob.joinCommunity({ name: "shown" });
    const { community, moderators } = await bob.readCommunity({ name: "shown" });
    expect(community).toMatchObject({ ...texts, platform: "native", aiPolicy: "marked", role: "member" });
    expect(community).toMatchObject({ memberCount: 2, postCount: 0, closed: false, pictureUrl: null });
    expect(moderators).toMatchObject([{ username: ada.user.username, role: "owner" }]);
    await ada.editCommunity({ name: "shown", rules: null });
    expect((await ada.readCommunity({ name: "shown" })).community).toMatchObject({
      description: "Looms.",
      rules: null,
      role: "owner",
    });
    expect((await bob.leaveCommunity({ name: "shown" })).community).toMatchObject({ memberCount: 1 });
  });

  once("have a picture, whose file goes when it is replaced", async () => {
    const ada = await tandem.as.human();
    await ada.createCommunity({ name: "pictured" });
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const { community } = await ada.setCommunityPicture({ name: "pictured", image });
    expect((await fetch(`${tandem.baseUrl}${community.pictureUrl}`)).status).toBe(200);
    await tandem.services.afterResponse.idle();
    expect((await fetch(`${tandem.baseUrl}${community.pictureUrl}`)).status).toBe(200);
    await ada.deleteCommunityPicture({ name: "pictured" });
    await tandem.services.afterResponse.idle();
    expect((await fetch(`${tandem.baseUrl}${community.pictureUrl}`)).status).toBe(404);
  });

  test("contain the posts that members write in them, by new and hot", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    await ada.createCommunity({ name: "looms" });
    const { post: first } = await ada.createPost({ title: "First", community: "LOOMS" });
    expect(first).toMatchObject({ platform: "native", community: "looms" });
    const refused = await bob.call("createPost", { title: "Mine", community: "looms" });
    expect([refused.status, refused.body.code]).toEqual([403, "membership_required"]);
    expect((await bob.call("createPost", { title: "Mine", community: "nowhere" })).status).toBe(404);
    await bob.joinCommunity({ name: "looms" });
    const { post: second } = await bob.createPost({ title: "Second", community: "looms" });
    for (let i = 0; i < 3; i++) await (await tandem.as.human()).likePost({ id: first.id });
    const ids = async (input: object) =>
      (await ada.listPosts({ community: "looms", ...input })).posts.map(({ id }) => id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ platform: "native" })).toEqual([second.id, first.id]);
    expect(await ids({ platform: "native", sort: "hot" })).toEqual([first.id, second.id]);
    expect(await ids({ platform: "reddit" })).toEqual([]);
    const count = async () => (await ada.readCommunity({ name: "looms" })).community.postCount;
    expect(await count()).toBe(2);
    await bob.deletePost({ id: second.id });
    expect(await count()).toBe(1);
    await bob.deleteAccount({ password });
    expect((await ada.readCommunity({ name: "looms" })).community.memberCount).toBe(1);
  });

  once("that are closed can only be read", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    await ada.createCommunity({ name: "closing" });
    const { post } = await ada.createPost({ title: "Last words", community: "closing" });
    expect((await ada.closeCommunity({ name: "closing" })).community.closed).toBe(true);
    for (const response of [
      await bob.call("joinCommunity", { name: "closing" }),
      await ada.call("createPost", { title: "Too late", community: "closing" }),
      await bob.call("createComment", { id: post.id, body: "Too late" }),
      await ada.call("editCommunity", { name: "closing", rules: "None" }),
    ])
      expect([response.status, response.body.code]).toEqual([409, "community_closed"]);
    expect((await bob.listPosts({ community: "closing" })).posts).toHaveLength(1);
    const { communities } = await bob.listCommunities({ q: "closing" });
    expect(communities).toEqual([]);
  });

  test("are left by their owner once they are closed, and by a moderator in person only", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const name = "left_behind";
    await ada.createCommunity({ name });
    await bob.joinCommunity({ name });
    const toBob = { name, username: bob.user.username };
    const early = await ada.call("setCommunityRole", { ...toBob, role: "owner" });
    expect(early.body).toMatchObject({ code: "invalid_input", field: "role" });
    await ada.setCommunityRole({ ...toBob, role: "moderator" });
    const key = await tandem.as.key(undefined, bob);
    expect((await key.call("leaveCommunity", { name })).body.code).toBe("forbidden");
    expect((await bob.readCommunity({ name })).community.role).toBe("moderator");
    expect((await ada.call("leaveCommunity", { name })).body.code).toBe("forbidden");
    await ada.closeCommunity({ name });
    expect((await ada.leaveCommunity({ name })).community).toMatchObject({ role: "visitor", memberCount: 1 });
    const late = await tandem.as.anonymous().readCommunity({ name });
    expect(late.moderators.map(({ role }) => role)).toEqual(["moderator"]);
    const visitor = await tandem.as.human();
    const post = await visitor.call("createPost", { title: "Too late", community: name });
    expect(post.body.code).toBe("community_closed");
  });

  once("are really left by the agent of someone banned", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const name = "agents_leave";
    await ada.createCommunity({ name });
    const agent = await tandem.as.agent(bob);
    await agent.joinCommunity({ name });
    await ada.banFromCommunity({ name, username: bob.user.username, reason: "Advertising" });
    await agent.leaveCommunity({ name });
    expect((await ada.listCommunityMembers({ name })).members.map(({ role }) => role)).toEqual(["owner"]);
    await bob.leaveCommunity({ name });
    expect((await ada.listCommunityBans({ name })).bans).toHaveLength(1);
  });

  test("pass to the moderator who has served longest when their owner goes, or are closed", async () => {
    const [ada, bob, eve] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const as = (role: "owner" | "moderator", { user }: typeof bob) => ({
      name: "heirs",
      username: user.username,
      role,
    });
    await ada.createCommunity({ name: "heirs" });
    await ada.createCommunity({ name: "orphaned" });
    const suspended = await tandem.as.human();
    for (const person of [eve, bob, suspended]) await person.joinCommunity({ name: "heirs" });
    await ada.setCommunityRole(as("moderator", suspended));
    await tandem.storage.write((tx) =>
      tx
        .updateTable("users")
        .set({ suspended_until: Date.UTC(2100, 0, 1) })
        .where("id", "=", suspended.user.id)
        .execute(),
    );
    await ada.setCommunityRole(as("moderator", bob));
    await ada.setCommunityRole(as("moderator", eve));
    expect((await ada.call("leaveCommunity", { name: "heirs" })).body.code).toBe("forbidden");
    await ada.deleteAccount({ password });
    const { community, moderators } = await bob.readCommunity({ name: "heirs" });
    expect(community).toMatchObject({ role: "owner", memberCount: 3 });
    expect(moderators.map(({ role }) => role)).toEqual(["owner", "moderator", "moderator"]);
    const told = async (person: typeof bob) => {
      const { notifications } = await person.listNotifications({ type: "community_owner" });
      return notifications.map(({ community, actor }) => [community, actor.username]);
    };
    // The former owner's account is gone.
    expect(await told(bob)).toEqual([["heirs", bob.user.username]]);
    expect(await told(eve)).toEqual([]);
    expect((await bob.readCommunity({ name: "orphaned" })).community).toMatchObject({
      closed: true,
      memberCount: 0,
    });
    await bob.setCommunityRole(as("owner", eve));
    expect((await bob.readCommunity({ name: "heirs" })).community.role).toBe("moderator");
    expect(await told(eve)).toEqual([["heirs", bob.user.username]]);
  });

  once("tell new moderators and approved agents, once, until that is taken back", async () => {
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(eve);
    const name = communityName();
    await ada.createCommunity({ name, aiPolicy: "approved_agents" });
    for (const caller of [eve, agent]) await caller.joinCommunity({ name });
    const told = async (caller: Caller) => {
      const { notifications } = await caller.listNotifications();
      return notifications.map(({ type, community, actor }) => [type, community, actor.username]);
    };
    const [asEve, asAgent] = [
      { name, username: eve.user.username },
      { name, username: agent.agent.username },
    ];
    for (let i = 0; i < 2; i++) {
      await ada.setCommunityRole({ ...asEve, role: "moderator" });
      await ada.approveCommunityAgent(asAgent);
    }
    const by = ada.user.username;
    expect(await told(eve)).toEqual([["community_moderator", name, by]]);
    expect(await told(agent)).toEqual([["community_approval", name, by]]);
    await eve.withdrawAgentApproval(asAgent);
    expect(await told(agent)).toEqual([]);
    // Who hands a community over isn't told that they moderate it.
    await ada.setCommunityRole({ ...asEve, role: "owner" });
    expect(await told(ada)).toEqual([]);
    await eve.setCommunityRole({ name, username: by, role: "member" });
    await eve.setCommunityRole({ name, username: by, role: "moderator" });
    expect(await told(ada)).toEqual([["community_moderator", name, eve.user.username]]);
    await eve.setCommunityRole({ name, username: by, role: "member" });
    expect(await told(ada)).toEqual([]);
  });

  once("don't notify those who left or are banned of a role, an approval or reports", async () => {
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(eve);
    const name = communityName();
    await ada.createCommunity({ name, aiPolicy: "approved_agents" });
    const { username } = agent.agent;
    const joinApproved = async () => {
      await agent.joinCommunity({ name });
      await ada.approveCommunityAgent({ name, username });
    };
    const told = async (caller: Caller) => {
      const { notifications, unread } = await caller.listNotifications();
      return [unread, ...notifications.map(({ type }) => type)];
    };
    await eve.joinCommunity({ name });
    await ada.setCommunityRole({ name, username: eve.user.username, role: "moderator" });
    await joinApproved();
    const { post } = await ada.createPost({ title: "Looms", community: name });
    await (await tandem.as.human()).createReport({ postId: post.id, reason: "Spam" });
    expect([await told(eve), await told(agent)]).toEqual([
      [2, "community_reports", "community_moderator"],
      [1, "community_approval"],
    ]);
    for (const caller of [eve, agent]) await caller.leaveCommunity({ name });
    expect([await told(eve), await told(agent)]).toEqual([[0], [0]]);
    await joinApproved();
    expect(await told(agent)).toEqual([1, "community_approval"]);
    await ada.banFromCommunity({ name, username, reason: "Spam" });
    expect(await told(agent)).not.toContain("community_approval");
  });

  once("let agents join where they can publish, and only as members", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await ada.createCommunity({ name: "quiet", aiPolicy: "people_only" });
    expect((await agent.call("joinCommunity", { name: "quiet" })).body.code).toBe("ai_policy");
    expect((await agent.call("createPost", { title: "Hi", community: "quiet" })).body.code).toBe("ai_policy");
    await ada.editCommunity({ name: "quiet", aiPolicy: "approved_agents" });
    await agent.joinCommunity({ name: "quiet" });
    const { username } = agent.agent;
    const promotion = await ada.call("setCommunityRole", { name: "quiet", username, role: "moderator" });
    expect([promotion.status, promotion.body.field]).toEqual([400, "username"]);
    const { members } = await ada.listCommunityMembers({ name: "quiet", agents: 1 });
    expect(members).toMatchObject([{ username, isAgent: true, approved: false, role: "member" }]);
    const key = await tandem.as.key(["posts:write"], ada);
    expect((await key.call("joinCommunity", { name: "quiet" })).body.code).toBe("insufficient_scope");
  });

  test("refuse what a schedule publishes as what a call does, and say why", async () => {
    const ada = await tandem.as.human();
    expect((await ada.call("createDraft", { title: "Draft", community: "nowhere" })).status).toBe(404);
    await ada.createCommunity({ name: "drafts", aiPolicy: "people_only" });
    const { draft } = await ada.createDraft({
      title: "With help",
      community: "drafts",
      provenance: "ai_assisted",
    });
    expect(draft.community).toBe("drafts");
    const refused = await ada.call("publishDraft", { id: draft.id });
    expect([refused.status, refused.body.code]).toEqual([403, "ai_policy"]);
    await ada.editDraft({ id: draft.id, community: null });
    expect((await ada.publishDraft({ id: draft.id })).published).toBe(true);
  });
});

/** Communities with an account in this role. */
async function plantMemberships(tx: Db, userId: number, count: number, role: CommunityRole): Promise<void> {
  const name = sql`'of_' || ${sql.lit(userId)} || '_' || i`;
  await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    insert into communities (name, ai_policy, created_at, active_at) select ${name}, 'open', i, i from n`.execute(
    tx,
  );
  await sql`insert into community_members (community_id, user_id, role, since)
    select id, ${userId}, ${role}, 0 from communities where name like ${`of\\_${userId}\\_%`} escape '\\'`.execute(
    tx,
  );
}
