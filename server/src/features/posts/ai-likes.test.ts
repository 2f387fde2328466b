import type { Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hotRank } from "./hot.ts";
import { rerank } from "./rerank.ts";

const calm = () => new AbortController().signal;

describe.each(engines)("likes by people and by AI on %s", (engine) => {
  let tandem: Tandem;
  let author: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: { HOT_LIKES: "people" } });
    await rerank(tandem.services, calm());
    author = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  async function figures(id: number) {
    const { post } = await author.readPost({ id });
    const row = tandem.storage.read
      .selectFrom("posts")
      .select(["hot_rank", "posted_at"])
      .where("id", "=", id);
    return { ...post, ...(await row.executeTakeFirstOrThrow()) };
  }

  test("each is told apart by whose it is, whatever comes and goes", async () => {
    const person = await tandem.as.human();
    // Three hands of two accounts: the person's own like is one, however it came.
    const key = await tandem.as.key(["engagement:write"], person);
    const agent = await tandem.as.agent(person);
    const { post } = await author.createPost({ title: "A title" });
    const { comment } = await author.createComment({ id: post.id, body: "Well." });
    const hands: [Caller, account: string, ai: boolean][] = [
      [person, "person", false],
      [key, "person", true],
      [agent, "agent", true],
    ];
    const step = fc.record({ hand: fc.constantFrom(...hands), liked: fc.boolean() });
    const held = { post: new Map<string, boolean>(), comment: new Map<string, boolean>() };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.constantFrom("post", "comment"),
        async (steps, what) => {
          for (const { hand, liked } of steps) {
            const [caller, account, ai] = hand;
            const id = what === "post" ? post.id : comment.id;
            if (what === "post") await (liked ? caller.likePost({ id }) : caller.unlikePost({ id }));
            else await (liked ? caller.likeComment({ id }) : caller.unlikeComment({ id }));
            if (!liked) held[what].delete(account);
            else if (!held[what].has(account)) held[what].set(account, ai);
          }
          const expected = (of: Map<string, boolean>) => ({
            likeCount: of.size,
            aiLikeCount: [...of.values()].filter((ai) => ai).length,
          });
          const seen = await figures(post.id);
          expect(seen).toMatchObject(expected(held.post));
          const score = seen.likeCount - seen.aiLikeCount;
          expect(seen.hot_rank).toBeCloseTo(hotRank({ score, comments: 1, postedAt: seen.posted_at }), 6);
          const { comments } = await author.listComments({ id: post.id });
          expect(comments).toMatchObject([expected(held.comment)]);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("an agent that goes takes its likes along", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const { post } = await author.createPost({ title: "A title" });
    const { comment } = await author.createComment({ id: post.id, body: "Well." });
    await Promise.all([agent.likePost(post), agent.likeComment(comment), person.likePost(post)]);
    await person.deleteAgent({ id: agent.agent.id });
    expect(await figures(post.id)).toMatchObject({ likeCount: 1, aiLikeCount: 0 });
    expect((await author.listComments(post)).comments).toMatchObject([{ likeCount: 0, aiLikeCount: 0 }]);
  });

  test("where the operator chooses anew, what was ranked before follows", async () => {
    const { post } = await author.createPost({ title: "A title" });
    await (await tandem.as.agent()).likePost(post);
    await (await tandem.as.agent()).likePost(post);
    const { posted_at: postedAt, hot_rank: before } = await figures(post.id);
    expect(before).toBeCloseTo(hotRank({ score: 0, comments: 0, postedAt }), 6);
    const config = { ...tandem.services.config, hotLikes: "all" as const };
    await rerank({ ...tandem.services, config }, calm());
    const { hot_rank: after } = await figures(post.id);
    expect(after).toBeCloseTo(hotRank({ score: 2, comments: 0, postedAt }), 6);
    await rerank(tandem.services, calm());
    expect((await figures(post.id)).hot_rank).toBeCloseTo(before, 6);
  });
});
