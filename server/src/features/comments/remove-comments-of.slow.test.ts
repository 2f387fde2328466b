import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeAccount } from "../account-deletion/remove-account.ts";
import { hotRank } from "../posts/hot.ts";
import { removeComments } from "./remove-comments-of.ts";

describe.each(engines)("removing all comments and likes of an account on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  // Who says something, and of which of the comments before it is a reply to; some of Ada's are deleted at the end.
  const says = fc.record({ its: fc.boolean(), at: fc.nat(12), deleted: fc.boolean() });
  const thread = fc.array(says, { minLength: 3, maxLength: 12, size: "max" });
  type Thread = { its: boolean; at: number; deleted: boolean }[];

  test("leaves what removing them one by one would leave", async () => {
    // An account says something in several threads: making accounts takes longer than all that they say.
    await fc.assert(
      fc.asyncProperty(fc.array(thread, { minLength: 4, maxLength: 4 }), async (threads) => {
        const [one, other, third] = await Promise.all([1, 2, 3].map(() => tandem.as.agent(ada)));
        if (!one || !other || !third) throw new Error("unreachable");
        const all = (agent: AgentCaller) => inTurn(threads, (thread) => discuss(thread, agent));
        const [first, second, steps] = [await all(one), await all(other), await all(third)];
        for (const { post, its } of first) {
          for (const id of its.toReversed()) await one.deleteComment({ id });
          await one.unlikePost({ id: post });
        }
        await ada.deleteAgent({ id: other.agent.id });
        await ada.deleteAgent({ id: one.agent.id });
        const ids = steps.flatMap(({ its }) => its);
        for (const half of [ids.filter((_, i) => i % 2 === 0), ids.filter((_, i) => i % 2 === 1)])
          await tandem.storage.write((tx) => removeComments(tx, tx.engine.oneOf(half)));
        await ada.deleteAgent({ id: third.agent.id });
        const expected = await inTurn(first, left);
        expect(await inTurn(second, left)).toEqual(expected);
        expect(await inTurn(steps, left)).toEqual(expected);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });

  async function discuss(thread: Thread, agent: AgentCaller) {
    const post = (await ada.createPost({ title: "To be discussed" })).post.id;
    const said: { id: number; caller: Caller; deleted: boolean }[] = [];
    for (const { its, at, deleted } of thread) {
      const parentId = said[at % (said.length + 1)]?.id ?? null;
      const caller = its ? agent : ada;
      const { comment } = await caller.createComment({ id: post, body: "Said", parentId });
      said.push({ id: comment.id, caller, deleted: deleted && !its });
      await agent.likeComment({ id: comment.id });
    }
    await agent.likePost({ id: post });
    for (const { id, deleted } of said) if (deleted) await ada.deleteComment({ id });
    const its = said.filter((one) => one.caller === agent).map((one) => one.id);
    return { post, its, ids: said.map((one) => one.id) };
  }

  /** What there is of a discussion, in numbers that don't depend on which one it is. */
  async function left({ post, ids }: Awaited<ReturnType<typeof discuss>>) {
    const rows = await tandem.storage.read
      .selectFrom("comments")
      .selectAll()
      .where("post_id", "=", post)
      .orderBy("id")
      .execute();
    const figures = await tandem.storage.read
      .selectFrom("posts")
      .select(["origin_score", "like_count", "comment_count", "hot_rank", "posted_at"])
      .where("id", "=", post)
      .executeTakeFirstOrThrow();
    const { like_count, comment_count: comments, posted_at: postedAt } = figures;
    expect(figures.hot_rank).toBeCloseTo(hotRank({ score: like_count, comments, postedAt }), 6);
    const notices = await tandem.storage.read
      .selectFrom("notifications")
      .select("type")
      .where("post_id", "=", post)
      .execute();
    return {
      comments: rows.map(({ id, parent_id, reply_count, deleted, user_id, like_count, body }) => ({
        place: ids.indexOf(id),
        above: parent_id === null ? null : ids.indexOf(parent_id),
        ...{ reply_count, deleted, user_id, like_count, body },
      })),
      counts: [like_count, comments],
      notices,
    };
  }

  test("brings all counts down, however much there was, in little time", async () => {
    const agent = await tandem.as.agent(ada);
    const { id } = (await ada.createPost({ title: "Busy" })).post;
    const before = await counts();
    const others = await Promise.all(Array.from({ length: 20 }, () => ada.createPost({ title: "Liked" })));
    for (const { post } of others) {
      await agent.likePost({ id: post.id });
      await agent.createComment({ id: post.id, body: "Nice" });
      await agent.createComment({ id, body: "And here" });
    }
    await ada.readNotifications();
    await agent.likePost({ id });
    expect(await counts()).not.toEqual(before);
    await ada.deleteAgent({ id: agent.agent.id });
    expect(await counts()).toEqual({ ...before, posts: before.posts + others.length });
    expect((await ada.listNotifications()).unread).toBe(0);
    for (const { post } of others) {
      const now = (await ada.readPost({ id: post.id })).post;
      expect(now).toMatchObject({ likeCount: 0, commentCount: 0 });
    }
  });

  const counts = async () => (await ada.analytics()).totals;

  test("takes the same few statements for any number of them", async () => {
    const statements = async (likes: number) => {
      const agent = await tandem.as.agent(ada);
      const { id } = (await ada.createPost({ title: "Counted" })).post;
      for (let i = 0; i < likes; i++) {
        await agent.likePost({ id: (await ada.createPost({ title: "Liked" })).post.id });
        await agent.createComment({ id, body: "Said" });
      }
      return countStatements(agent.agent.id);
    };
    expect(await statements(8)).toBe(await statements(2));
  });

  async function countStatements(userId: number): Promise<number> {
    let count = 0;
    const rollback = new Error("only counted");
    const counting = tandem.storage.write(async (tx) => {
      const counted = Object.assign(
        tx.withPlugin({
          transformQuery: ({ node }) => {
            count += 1;
            return node;
          },
          transformResult: async ({ result }) => result,
        }),
        { engine: tx.engine, channels: tx.channels, counters: tx.counters },
      );
      await removeAccount(counted, userId);
      throw rollback;
    });
    await expect(counting).rejects.toBe(rollback);
    return count;
  }
});

async function inTurn<A, B>(all: readonly A[], make: (one: A) => Promise<B>): Promise<B[]> {
  const made: B[] = [];
  for (const one of all) made.push(await make(one));
  return made;
}
