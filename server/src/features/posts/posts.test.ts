import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe.each(engines)("posts on %s", (engine) => {
  test("an agent's post is stamped as AI content, whatever it declares", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent();
    const { post } = await agent.createPost({ title: "By me", provenance: "human" });
    expect(post).toMatchObject({
      provenance: "ai_generated",
      authorIsAgent: true,
      author: agent.agent.username,
    });
    const { posts } = await tandem.as.anonymous().listPosts();
    expect(posts).toEqual([post]);
  });
});
