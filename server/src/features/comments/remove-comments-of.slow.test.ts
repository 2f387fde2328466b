import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dbOf } from "../../storage/storage.ts";
import { removeAccount } from "../account-deletion/remove-account.ts";
import { hotRank } from "../posts/hot.ts";
import { removeComments } from "./remove-comments-of.ts";

describe.each(engines)("deleting all comments and likes of an account on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    ada = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  // Each comment: by the agent or by Ada, and which earlier comment it replies to. Some of Ada's are deleted at the end.
  const commentArbitrary = fc.record({ byAgent: fc.boolean(), at: fc.nat(12), deleted: fc.boolean() });
  const thread = fc.array(commentArbitrary, { minLength: 3, maxLength: 12, size: "max" });
  type Thread = { byAgent: boolean; at: number; deleted: boolean }[];

  test("gives the same result as deleting them one by one", async () => {
    // Each account comments in several threads, because creating accounts takes longer than all their comments.
    await fc.assert(
      fc.asyncProperty(fc.array(thread, { minLength: 4, maxLength: 4 }), async (threads) => {
        const [oneByOne, withAccount, inBatches] = await Promise.all(
          [1, 2, 3].map(() => tandem.as.agent(ada)),
        );
        if (!oneByOne || !withAccount || !inBatches) throw new Error("unreachable");
        const all = (agent: AgentCaller) => inTurn(threads, (thread) => discuss(thread, agent));
        const [first, second, third] = [await all(oneByOne), await all(withAccount), await all(inBatches)];
        for (const { post, ownIds } of first) {
          for (const id of ownIds.toReversed()) await oneByOne.deleteComment({ id });
          await oneByOne.unlikePost({ id: post });
        }
        await ada.deleteAgent({ id: withAccount.agent.id });
        await ada.deleteAgent({ id: oneByOne.agent.id });
        const ids = third.flatMap(({ ownIds }) => ownIds);
        for (const half of [ids.filter((_, i) => i % 2 === 0), ids.filter((_, i) => i % 2 === 1)])
          await tandem.storage.write((tx) => removeComments(tx, tx.engine.oneOf(half)));
        await ada.deleteAgent({ id: inBatches.agent.id });
        const expected = await inTurn(first, remainsOf);
        expect(await inTurn(second, remainsOf)).toEqual(expected);
        expect(await inTurn(third, remainsOf)).toEqual(expected);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  async function discuss(thread: Thread, agent: AgentCaller) {
    const post = (await ada.createPost({ title: "To be discussed" })).post.id;
    const comments: { id: number; caller: Caller; deleted: boolean }[] = [];
    for (const { byAgent, at, deleted } of thread) {
      const parentId = comments[at % (comments.length + 1)]?.id ?? null;
      const caller = byAgent ? agent : ada;
      const { comment } = await caller.createComment({ id: post, body: "Said", parentId });
      comments.push({ id: comment.id, caller, deleted: deleted && !byAgent });
      await agent.likeComment({ id: comment.id });
    }
    await agent.likePost({ id: post });
    for (const { id, deleted } of comments) if (deleted) await ada.deleteComment({ id });
    const ownIds = comments.filter(({ caller }) => caller === agent).map(({ id }) => id);
    return { post, ownIds, ids: comments.map(({ id }) => id) };
  }

  /** What is left of a discussion, without ids, so that discussions can be compared. */
  async function remainsOf({ post, ids }: Awaited<ReturnType<typeof discuss>>) {
    const rows = await tandem.storage.read
      .selectFrom("comments")
      .selectAll()
      .where("post_id", "=", post)
      .orderBy("id")
      .execute();
    const counts = await tandem.storage.read
      .selectFrom("posts")
      .select(["origin_score", "like_count", "comment_count", "hot_rank", "posted_at"])
      .where("id", "=", post)
      .executeTakeFirstOrThrow();
    const { like_count, comment_count: comments, posted_at: postedAt } = counts;
    expect(counts.hot_rank).toBeCloseTo(hotRank({ score: like_count, comments, postedAt }), 6);
    const notifications = await tandem.storage.read
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
      notifications,
    };
  }

  test("decrements all counters", async () => {
    const agent = await tandem.as.agent(ada);
    const { id } = (await ada.createPost({ title: "Busy" })).post;
    const before = await counts();
    const others = await Promise.all(Array.from({ length: 20 }, () => ada.createPost({ title: "Liked" })));
    for (const { post } of others) {
      await agent.likePost({ id: post.id });
      await agent.createComment({ id: post.id, body: "Nice" });
      await agent.createComment({ id, body: "And here" });
    }
    await ada.markNotificationsRead();
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

  test("takes the same number of statements for any number of comments and likes", async () => {
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
      // The work may run more than once.
      count = 0;
      const counted = dbOf(
        tx.withPlugin({
          transformQuery: ({ node }) => {
            count += 1;
            return node;
          },
          transformResult: async ({ result }) => result,
        }),
        tx.engine,
        tx.secrets,
      );
      await removeAccount(counted, userId);
      throw rollback;
    });
    await expect(counting).rejects.toBe(rollback);
    return count;
  }
});

async function inTurn<A, B>(all: readonly A[], make: (item: A) => Promise<B>): Promise<B[]> {
  const made: B[] = [];
  for (const item of all) made.push(await make(item));
  return made;
}
