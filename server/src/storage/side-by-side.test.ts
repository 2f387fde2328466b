import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Concurrent writes to the same rows, repeated so that they interleave in many orders. */
const TIMES = 20;
const times = <T>(work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: TIMES }, (_, i) => work(i)));

describe.each(engines)("concurrent writes on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  test("delete a comment once that is deleted many times", async () => {
    const [author, reader] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await author.createPost({ title: "Discussed" });
    const { comment } = await reader.createComment({ id: post.id, body: "Above" });
    const reply = await reader.createComment({ id: post.id, body: "Below", parentId: comment.id });
    for (const { id } of [reply.comment, comment]) {
      const responses = await times(() => reader.call("deleteComment", { id }));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(TIMES - 1).fill(404)]);
    }
    expect((await author.readPost({ id: post.id })).post.commentCount).toBe(0);
    expect((await author.analytics()).totals.comments).toBe(0);
    expect((await author.listComments({ id: post.id })).comments).toEqual([]);
  });

  test("take back a deleted agent's likes once", async () => {
    const [author, operator] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await author.createPost({ title: "Liked" });
    await author.likePost({ id: post.id });
    const agent = await tandem.as.agent(operator);
    await agent.likePost({ id: post.id });
    await times(() => operator.call("deleteAgent", { id: agent.agent.id }));
    expect((await author.readPost({ id: post.id })).post.likeCount).toBe(1);
    expect((await author.analytics()).totals.likes).toBe(1);
  });

  test("keep the changes of both edits of a product", async () => {
    const person = await tandem.as.human();
    const { product } = await person.createProduct({ title: "Pot", url: "https://example.org/pot" });
    for (let i = 0; i < TIMES; i++) {
      const edits = [{ title: `Pot ${i}` }, { price: i }, { category: `${i}` }];
      await Promise.all(edits.map((edit) => person.editProduct({ id: product.id, ...edit })));
      const { products } = await person.listProducts({ mine: 1 });
      expect(products[0]).toMatchObject({ title: `Pot ${i}`, price: i, category: `${i}` });
    }
  });

  test("keep the AI label that a concurrent edit sets", async () => {
    const person = await tandem.as.human();
    const key = await tandem.as.key(["posts:write", "comments:write"], person);
    const { post } = await person.createPost({ title: "Mine" });
    const marks = await times(async (i) => {
      const { comment } = await person.createComment({ id: post.id, body: "Mine" });
      const edits = [key, person].map((caller) => caller.editComment({ id: comment.id, body: `${i}` }));
      await Promise.all(edits);
      return comment.id;
    });
    const { comments } = await person.listComments({ id: post.id });
    expect(comments.map(({ id, isAiGenerated }) => [id, isAiGenerated])).toEqual(
      marks.toSorted((a, b) => a - b).map((id) => [id, true]),
    );
  });

  test("keep an edit while the post's card changes", async () => {
    const person = await tandem.as.human();
    const key = await tandem.as.key(["posts:write"], person);
    const { product } = await person.createProduct({ title: "Pot", url: "https://example.org/pot" });
    const edited = await times(async (i) => {
      const { post } = await person.createPost({ title: "Before", productIds: [product.id] });
      await Promise.all([
        key.editPost({ id: post.id, title: `After ${i}` }),
        person.editProduct({ id: product.id, title: `Pot ${i}` }),
      ]);
      return (await person.readPost({ id: post.id })).post;
    });
    expect(edited.map(({ title, provenance }) => [title, provenance])).toEqual(
      edited.map((_, i) => [`After ${i}`, "ai_generated"]),
    );
  });
});
