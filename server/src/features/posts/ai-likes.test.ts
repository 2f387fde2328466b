import type { Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hotRank } from "./hot.ts";
import { rerank } from "./rerank.ts";

const neverAborted = () => new AbortController().signal;

describe.each(engines)("likes by people and by AI on %s", (engine) => {
  let tandem: Tandem;
  let author: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: { HOT_LIKES: "people" } });
    await rerank(tandem.services, neverAborted());
    author = await tandem.as.human();
  });
  afterAll(() => tandem.stop());

  async function readCounts(id: number) {
    const { post } = await author.readPost({ id });
    const row = tandem.storage.read
      .selectFrom("posts")
      .select(["hot_rank", "posted_at"])
      .where("id", "=", id);
    return { ...post, ...(await row.executeTakeFirstOrThrow()) };
  }

  test("counts likes by people and by AI separately through any sequence of likes and unlikes", async () => {
    const person = await tandem.as.human();
    // Three credentials of two accounts: the person and their key share one like.
    const key = await tandem.as.key(["engagement:write"], person);
    const agent = await tandem.as.agent(person);
    const { post } = await author.createPost({ title: "A title" });
    const { comment } = await author.createComment({ id: post.id, body: "Well." });
    const credentials: [Caller, account: string, ai: boolean][] = [
      [person, "person", false],
      [key, "person", true],
      [agent, "agent", true],
    ];
    const step = fc.record({ credential: fc.constantFrom(...credentials), liked: fc.boolean() });
    const likes = { post: new Map<string, boolean>(), comment: new Map<string, boolean>() };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.constantFrom("post", "comment"),
        async (steps, what) => {
          for (const { credential, liked } of steps) {
            const [caller, account, ai] = credential;
            const id = what === "post" ? post.id : comment.id;
            if (what === "post") await (liked ? caller.likePost({ id }) : caller.unlikePost({ id }));
            else await (liked ? caller.likeComment({ id }) : caller.unlikeComment({ id }));
            if (!liked) likes[what].delete(account);
            else if (!likes[what].has(account)) likes[what].set(account, ai);
          }
          const expected = (of: Map<string, boolean>) => ({
            likeCount: of.size,
            aiLikeCount: [...of.values()].filter((ai) => ai).length,
          });
          const seen = await readCounts(post.id);
          expect(seen).toMatchObject(expected(likes.post));
          const score = seen.likeCount - seen.aiLikeCount;
          expect(seen.hot_rank).toBeCloseTo(hotRank({ score, comments: 1, postedAt: seen.posted_at }), 6);
          const { comments } = await author.listComments({ id: post.id });
          expect(comments).toMatchObject([expected(likes.comment)]);
        },
      ),
      { numRuns: 12 },
    );
  });

  test("removes an agent's likes with the agent", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const { post } = await author.createPost({ title: "A title" });
    const { comment } = await author.createComment({ id: post.id, body: "Well." });
    await Promise.all([
      agent.likePost({ id: post.id }),
      agent.likeComment({ id: comment.id }),
      person.likePost({ id: post.id }),
    ]);
    await person.deleteAgent({ id: agent.agent.id });
    expect(await readCounts(post.id)).toMatchObject({ likeCount: 1, aiLikeCount: 0 });
    expect((await author.listComments({ id: post.id })).comments).toMatchObject([
      { likeCount: 0, aiLikeCount: 0 },
    ]);
  });

  test("reranks existing posts when HOT_LIKES changes", async () => {
    const { post } = await author.createPost({ title: "A title" });
    await (await tandem.as.agent()).likePost({ id: post.id });
    await (await tandem.as.agent()).likePost({ id: post.id });
    const { posted_at: postedAt, hot_rank: before } = await readCounts(post.id);
    expect(before).toBeCloseTo(hotRank({ score: 0, comments: 0, postedAt }), 6);
    const config = { ...tandem.services.config, hotLikes: "all" as const };
    await rerank({ ...tandem.services, config }, neverAborted());
    const { hot_rank: after } = await readCounts(post.id);
    expect(after).toBeCloseTo(hotRank({ score: 2, comments: 0, postedAt }), 6);
    await rerank(tandem.services, neverAborted());
    expect((await readCounts(post.id)).hot_rank).toBeCloseTo(before, 6);
  });
});
