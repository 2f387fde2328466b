import type { OperationName } from "@tandem/contract/operations";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, CallResponse, Person } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, manyConnections, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeAccount } from "../account-deletion/remove-account.ts";

describe.each(engines)("blocks on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let eve: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: manyConnections });
    [ada, bob, eve] = await Promise.all([
      tandem.as.human("ada"),
      tandem.as.human("bob"),
      tandem.as.human("eve"),
    ]);
  });
  beforeEach(() =>
    tandem.storage.write(async (tx) => {
      await tx.deleteFrom("blocks").execute();
      await tx.updateTable("users").set({ has_blocks: 0 }).execute();
    }),
  );
  afterAll(() => tandem.stop());

  const postBy = async (caller: Caller) => (await caller.createPost({ title: "Mine" })).post.id;
  const commentBy = async (caller: Caller, id: number) =>
    (await caller.createComment({ id, body: "Mine" })).comment.id;
  const feed = async (caller: Caller) => (await caller.listPosts({ limit: 50 })).posts.map(({ id }) => id);

  /** Whether a new post by `author` appears in the reader's feed. */
  const sees = async (reader: Caller, author: Caller) => {
    const id = await postBy(author);
    return (await feed(reader)).includes(id);
  };

  /** Everything that a block prevents, towards the author of a post and of a comment on someone else's post. */
  async function approaches(author: Caller & { name: string }): Promise<[OperationName, object][]> {
    const [id, place] = [await postBy(author), await postBy(eve)];
    const comment = await commentBy(author, place);
    return [
      ["createComment", { id, body: "Hello" }],
      ["createComment", { id: place, body: "Hello", parentId: comment }],
      ["likePost", { id }],
      ["likeComment", { id: comment }],
      ["follow", { platform: "native", author: author.name }],
    ];
  }
  const between: [OperationName, object][] = [
    ["sendMessage", { username: "ada", body: "Hello" }],
    ["requestFriend", { username: "ada" }],
  ];
  const verdicts = async (caller: Caller, attempts: [OperationName, object][]) => {
    const found = [];
    for (const [name, input] of attempts) found.push([name, outcomeOf(await caller.call(name, input))]);
    return found;
  };
  const all = (attempts: [OperationName, object][], verdict: string) =>
    attempts.map(([name]) => [name, verdict]);

  if (runsOnceTests(engine))
    test.each([["by the first account"], ["by the second account"]])(
      "a block %s prevents all interaction",
      async (by) => {
        const attempts = [...(await approaches({ ...ada, name: "ada" })), ...between];
        if (by === "by the first account") await ada.block({ username: "BOB" });
        else await bob.block({ username: "Ada" });
        const before = await dump(tandem.storage);
        expect(await verdicts(bob, attempts)).toEqual(all(attempts, "403 forbidden"));
        expect(await dump(tandem.storage)).toEqual(before);
        const [first] = attempts;
        expect(await verdicts(eve, attempts.slice(0, 5))).toEqual(all(attempts.slice(0, 5), "200"));
        await (by === "by the first account" ? ada : bob).unblock({
          username: by === "by the first account" ? "bob" : "ada",
        });
        expect(await verdicts(bob, first ? [first] : [])).toEqual([["createComment", "200"]]);
      },
    );

  test("hides both accounts' posts from each other's feeds, but not from their own pages", async () => {
    const [hers, his, theirs] = [await postBy(ada), await postBy(bob), await postBy(eve)];
    await ada.savePost({ id: his });
    await ada.block({ username: "bob" });
    for (const [reader, unseen, author] of [
      [ada, his, "bob"],
      [bob, hers, "ada"],
    ] as const) {
      expect(await feed(reader)).toContain(theirs);
      for (const query of [
        {},
        { sort: "hot" },
        { author },
        { q: "mine" },
        { platform: "native" },
        { saved: 1 },
      ] as const)
        expect([query, (await reader.listPosts(query)).posts.map(({ id }) => id)]).not.toEqual([
          query,
          expect.arrayContaining([unseen]),
        ]);
      expect((await reader.readPost({ id: unseen })).post.id).toBe(unseen);
    }
    expect(await feed(eve)).toEqual(expect.arrayContaining([hers, his]));
    expect(await feed(tandem.as.anonymous())).toEqual(expect.arrayContaining([hers, his]));
    await ada.unblock({ username: "bob" });
    expect(await feed(ada)).toContain(his);
  });

  once("still allows unliking and deleting, but not editing", async () => {
    const id = await postBy(ada);
    const comment = await commentBy(bob, id);
    await bob.likePost({ id });
    await ada.block({ username: "bob" });
    expect(outcomeOf(await bob.call("editComment", { id: comment, body: "And another thing" }))).toBe(
      "403 forbidden",
    );
    expect(await bob.unlikePost({ id })).toEqual({ liked: false, likeCount: 0 });
    expect(await bob.deleteComment({ id: comment })).toEqual({ deleted: true });
    expect(await bob.unfollow({ platform: "native", author: "ada" })).toEqual({ following: false });
  });

  once("removes follows in both directions, also by and of agents", async () => {
    const [robot, droid] = [await tandem.as.agent(ada, "robot"), await tandem.as.agent(bob, "droid")];
    const callers = { ada, bob, robot, droid };
    const pairs = [
      ["ada", "bob"],
      ["ada", "droid"],
      ["bob", "ada"],
      ["robot", "bob"],
      ["droid", "robot"],
    ] as const;
    for (const [from, author] of pairs) await callers[from].follow({ platform: "native", author });
    await ada.follow({ platform: "native", author: "robot" });
    await eve.follow({ platform: "native", author: "ada" });
    await ada.block({ username: "bob" });
    const followers = async (author: string) =>
      (await eve.readCreator({ platform: "native", author })).creator.followerCount;
    expect([await followers("ada"), await followers("bob"), await followers("droid")]).toEqual([1, 0, 0]);
    expect(await followers("robot")).toBe(1);
    expect((await bob.listFollows()).follows).toEqual([]);
    await ada.deleteAgent({ id: robot.agent.id });
    await bob.deleteAgent({ id: droid.agent.id });
  });

  once("covers the agents of both people", async () => {
    const [robot, droid] = [await tandem.as.agent(ada), await tandem.as.agent(bob)];
    await ada.block({ username: "bob" });
    const sides = [
      [ada, "ada", bob],
      [ada, "ada", droid],
      [robot, robot.agent.username, bob],
      [robot, robot.agent.username, droid],
    ] as const;
    for (const [author, name, other] of sides) {
      const attempts = await approaches({ ...author, name });
      expect(await verdicts(other, attempts)).toEqual(all(attempts, "403 forbidden"));
      const [mine, theirs] = [await postBy(author), await postBy(other)];
      expect(await feed(author)).not.toContain(theirs);
      expect(await feed(other)).not.toContain(mine);
    }
    // An agent that is created later is covered too.
    const late = await tandem.as.agent(bob);
    const attempts = await approaches({ ...ada, name: "ada" });
    expect(await verdicts(late, attempts)).toEqual(all(attempts, "403 forbidden"));
    expect(await sees(ada, late)).toBe(false);
  });

  once("covers only the agent if an agent is blocked", async () => {
    const [droid, other, robot] = [
      await tandem.as.agent(bob),
      await tandem.as.agent(bob),
      await tandem.as.agent(ada),
    ];
    await ada.block({ username: droid.agent.username });
    const attempts = await approaches({ ...ada, name: "ada" });
    expect(await verdicts(droid, attempts)).toEqual(all(attempts, "403 forbidden"));
    expect(await sees(ada, droid)).toBe(false);
    expect(await sees(droid, ada)).toBe(false);
    expect(await sees(robot, droid)).toBe(false);
    for (const free of [bob, other]) {
      expect(await verdicts(free, attempts)).toEqual(all(attempts, "200"));
      expect(await sees(ada, free)).toBe(true);
    }
  });

  once("lasts until neither account blocks the other", async () => {
    await ada.block({ username: "bob" });
    await bob.block({ username: "ada" });
    await bob.block({ username: "ada" });
    const like = async () => outcomeOf(await bob.call("likePost", { id: await postBy(ada) }));
    const listed = async (caller: Caller) =>
      (await caller.listBlocks()).blocks.map(({ username }) => username);
    expect([await listed(ada), await listed(bob)]).toEqual([["bob"], ["ada"]]);
    await ada.unblock({ username: "bob" });
    expect([await like(), await listed(ada), await listed(bob)]).toEqual(["403 forbidden", [], ["ada"]]);
    await ada.unblock({ username: "bob" });
    expect(await like()).toBe("403 forbidden");
    await bob.unblock({ username: "ada" });
    expect(await like()).toBe("200");
    expect((await dump(tandem.storage)).blocks).toEqual([]);
  });

  once("lists blocked accounts with dates, to the blocking account only", async () => {
    const agent = await tandem.as.agent(eve);
    await ada.block({ username: "bob" });
    await ada.block({ username: agent.agent.username });
    const common = { displayName: null, avatarUrl: null, createdAt: expect.stringMatching(/Z$/) };
    expect((await ada.listBlocks()).blocks).toEqual([
      { username: agent.agent.username, isAgent: true, ...common },
      { username: "bob", isAgent: false, ...common },
    ]);
    expect((await bob.listBlocks()).blocks).toEqual([]);
  });

  if (runsOnceTests(engine))
    test.each(["block", "unblock"] as const)(
      "%s returns 404 for an unknown account and 400 for the caller's own",
      async (name) => {
        expect(outcomeOf(await ada.call(name, { username: "missing.account" }))).toBe(
          "404 not_found username",
        );
        expect(outcomeOf(await ada.call(name, { username: "ADA" }))).toBe("400 invalid_input username");
      },
    );

  once("refuses blocks by agents and of the caller's own agents", async () => {
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    expect(outcomeOf(await session.call("block", { username: "bob" }))).toBe("403 agent_forbidden");
    expect(outcomeOf(await agent.call("block", { username: "bob" }))).toBe("403 session_required");
    expect(outcomeOf(await ada.call("block", { username: agent.agent.username }))).toBe(
      "400 invalid_input username",
    );
  });

  test("refuses only the blocked accounts in a batch of likes", async () => {
    const crowd = await addBulkUsers(tandem.storage, 20);
    const callers = crowd.map(({ cookie }) => tandem.as.with({ cookie }));
    const id = await postBy(ada);
    for (const { username } of crowd.slice(0, 3)) await ada.block({ username });
    const responses = await Promise.all(callers.map((caller) => caller.call("likePost", { id })));
    expect(responses.map(outcomeOf)).toEqual([...Array(3).fill("403 forbidden"), ...Array(17).fill("200")]);
    expect((await ada.readPost({ id })).post.likeCount).toBe(17);
  });

  once("doesn't apply to posts of other platforms", async () => {
    await ada.block({ username: "bob" });
    const id = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "From afar" }));
    for (const caller of [ada, bob]) {
      expect(await feed(caller)).toContain(id);
      expect(outcomeOf(await caller.call("likePost", { id }))).toBe("200");
      expect(outcomeOf(await caller.call("createComment", { id, body: "Well" }))).toBe("200");
    }
  });

  test("removes blocks when either account is deleted", async () => {
    const [one, other] = await addBulkUsers(tandem.storage, 2);
    await ada.block({ username: String(one?.username) });
    await tandem.as.with({ cookie: String(other?.cookie) }).block({ username: "ada" });
    for (const gone of [one, other]) await tandem.storage.write((tx) => removeAccount(tx, Number(gone?.id)));
    expect((await dump(tandem.storage)).blocks).toEqual([]);
    expect(await feed(ada)).toEqual(await feed(eve));
  });

  test("leaves a consistent state after a concurrent block and unblock", async () => {
    for (let i = 0; i < 15; i++) {
      await Promise.all([
        ada.block({ username: "bob" }),
        bob.block({ username: "ada" }),
        ada.unblock({ username: "bob" }),
        bob.unblock({ username: "ada" }),
      ]);
      const [hers, his] = [(await ada.listBlocks()).blocks.length, (await bob.listBlocks()).blocks.length];
      expect((await dump(tandem.storage)).blocks).toHaveLength(hers + his > 0 ? 2 : 0);
      expect(await sees(ada, bob)).toBe(hers + his === 0);
    }
  });
});

function outcomeOf({ status, body: { code, field } }: CallResponse): string {
  return [status, code, field].filter((part) => part !== undefined).join(" ");
}
