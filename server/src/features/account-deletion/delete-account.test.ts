import { cookieOf } from "@tandem/testing/callers";
import { pixel } from "@tandem/testing/inputs";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeRetired } from "./delete-account.ts";

const password = "correct horse";

describe.each(engines)("deleting an account on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  test("requires the password", async () => {
    const ada = await tandem.as.human();
    const refused = async (input: object) => {
      const { status, body } = await ada.call("deleteAccount", input);
      return [status, body.code, body.field];
    };
    expect(await refused({})).toEqual([400, "invalid_input", "password"]);
    expect(await refused({ password: "a guess" })).toEqual([403, "forbidden", "password"]);
    expect((await ada.call("me")).status).toBe(200);
  });

  test("deletes agents, posts, files, keys and sessions, but keeps others' threads readable", async () => {
    const [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const agent = await tandem.as.agent(ada);
    const asAgent = await tandem.as.agentSession(ada, agent.agent.id);
    const key = await tandem.as.key(undefined, ada);
    await ada.setAvatar({ image: pixel });
    const { post: picture } = await ada.createPost({ title: "Seen", image: pixel });
    const { post: its } = await agent.createPost({ title: "Beep" });
    const { post: theirs } = await bob.createPost({ title: "Bob's" });
    const { comment } = await ada.createComment({ id: theirs.id, body: "First" });
    const answer = await bob.createComment({ id: theirs.id, body: "Second", parentId: comment.id });
    await agent.likePost({ id: theirs.id });
    await bob.follow({ platform: "native", author: ada.user.username });
    await ada.startExport();
    await tandem.services.afterResponse.idle();

    const done = await ada.call("deleteAccount", { password });
    expect([done.status, done.body]).toEqual([200, { deleted: true }]);
    expect(cookieOf(done)).toContain("tandem_session=");

    for (const caller of [ada, agent, asAgent, key]) expect((await caller.call("me")).status).toBe(401);
    for (const { id } of [picture, its]) expect((await bob.call("readPost", { id })).status).toBe(404);
    expect((await bob.readPost({ id: theirs.id })).post).toMatchObject({ likeCount: 0, commentCount: 1 });
    const { comments } = await bob.listComments({ id: theirs.id });
    expect(comments).toMatchObject([{ deleted: true, body: "", username: "[deleted]" }, answer.comment]);
    expect((await bob.listFollows()).follows).toEqual([]);
    const log = { username: ada.user.username, password };
    expect((await tandem.as.anonymous().call("logIn", log)).status).toBe(401);
    await tandem.services.afterResponse.idle();
    const left = [];
    for await (const { name } of tandem.services.media.store.list()) left.push(name);
    expect(left).toEqual([]);
    for (const table of ["exports", "media"] as const)
      expect(await tandem.storage.read.selectFrom(table).selectAll().execute()).toEqual([]);
    // The username and address are free again.
    await tandem.as.human(ada.user.username);
  });

  test("disables a large account immediately and removes it in batches", async () => {
    const ada = await tandem.as.human();
    const { agent } = await tandem.as.agent(ada);
    const { post } = await ada.createPost({ title: "The first" });
    await copies(post.id, 700);
    const key = await tandem.as.key(undefined, ada);
    const bob = await tandem.as.human();
    await ada.deleteAccount({ password });
    expect([(await ada.call("me")).status, (await key.call("me")).status]).toEqual([401, 401]);
    const log = { username: ada.user.username, password };
    expect((await tandem.as.anonymous().call("logIn", log)).status).toBe(401);
    await tandem.as.anonymous().forgotPassword({ email: ada.user.email });
    await tandem.services.afterResponse.idle();
    await removeRetired(tandem.services);
    const gone = await tandem.storage.read
      .selectFrom("users")
      .select("id")
      .where("id", "in", [ada.user.id, agent.id])
      .execute();
    expect(gone).toEqual([]);
    expect((await bob.listPosts({ author: ada.user.username })).posts).toEqual([]);
    await tandem.as.human(ada.user.username);
  });

  test("removes a large agent in batches, and lets its operator create another immediately", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    const { post } = await agent.createPost({ title: "The first" });
    await copies(post.id, 700);
    await ada.deleteAgent({ id: agent.agent.id });
    expect((await ada.listAgents()).agents).toEqual([]);
    expect((await agent.call("me")).status).toBe(401);
    await tandem.services.afterResponse.idle();
    expect((await ada.call("readPost", { id: post.id })).status).toBe(404);
    await tandem.as.agent(ada, agent.agent.username);
  });

  test("deletes an account once if two requests come at the same time", async () => {
    const ada = await tandem.as.human();
    const responses = await Promise.all([
      ada.call("deleteAccount", { password }),
      ada.call("deleteAccount", { password }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  /** Adds this many copies of the post, by the same creator. */
  async function copies(id: number, count: number): Promise<void> {
    await tandem.storage.write(async (tx) => {
      const { id: _, ...post } = await tx
        .selectFrom("posts")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      for (let i = 0; i < count; i += 100)
        await tx
          .insertInto("posts")
          .values(Array.from({ length: 100 }, () => post))
          .execute();
      await sql`update creators set post_count = post_count + ${count} where id = ${post.creator_id}`.execute(
        tx,
      );
    });
  }
});
