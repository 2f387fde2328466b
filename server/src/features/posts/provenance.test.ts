import { readFile } from "node:fs/promises";
import { type Provenance, provenances } from "@tandem/contract/provenance";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("provenance", () => {
  let tandem: Tandem;
  let ada: Person;
  let personalKey: Caller;
  let agent: AgentCaller;
  let asAgent: Caller;

  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
    personalKey = await tandem.as.key(["posts:write"], ada);
    asAgent = await tandem.as.agentSession(ada, agent.agent.id);
  });
  afterAll(() => tandem.stop());

  test.each([undefined, ...provenances])(
    "stamps every post by a key or an agent ai_generated, even if it declares %j",
    async (declared) => {
      const declaring = declared && { provenance: declared };
      for (const [caller, authorIsAgent] of [
        [personalKey, false],
        [agent, true],
        [asAgent, true],
      ] as const) {
        const { post } = await caller.createPost({ title: "A title", ...declaring });
        expect(post).toMatchObject({
          provenance: "ai_generated",
          provenanceBasis: "stamped",
          authorIsAgent,
        });
      }
    },
  );

  test.each([undefined, ...provenances])(
    "accepts the provenance that a person declares: %j",
    async (declared) => {
      const { post } = await ada.createPost({ title: "A title", ...(declared && { provenance: declared }) });
      expect(post).toMatchObject({
        provenance: declared ?? "human",
        provenanceBasis: "declared",
        authorIsAgent: false,
      });
    },
  );

  test("an edit with a key stamps a person's post permanently", async () => {
    const { post } = await ada.createPost({ title: "By hand" });
    const label = async (caller: Caller) => {
      const { provenance, provenanceBasis } = (await caller.editPost({ id: post.id, title: "Edited" })).post;
      return `${provenance}, ${provenanceBasis}`;
    };
    expect(await label(ada)).toBe("human, declared");
    expect(await label(personalKey)).toBe("ai_generated, stamped");
    expect(await label(ada)).toBe("ai_generated, stamped");
  });

  test.each(["ai_generated", "ai_assisted"] as const)(
    "no edit removes the provenance %s",
    async (declared) => {
      const { post } = await ada.createPost({ title: "A title", provenance: declared });
      const edit = (fields: object) =>
        sendRequest(tandem.baseUrl, {
          method: "PATCH",
          path: `/api/posts/${post.id}`,
          headers: { ...ada.options.headers, "content-type": "application/json" },
          body: JSON.stringify({ title: "Mine", authorIsAgent: false, ...fields }),
        });
      expect((await edit({})).body).toMatchObject({ post: { title: "Mine", provenance: declared } });
      expect(await edit({ provenance: "human" })).toMatchObject({
        status: 400,
        body: { field: "provenance" },
      });
      expect((await ada.readPost({ id: post.id })).post.provenance).toBe(declared);
    },
  );

  test("a file whose metadata say that AI made it marks its post, whatever its author declares, or their avatar", async () => {
    const file = async (name: string) =>
      new Blob([await readFile(new URL(`../../media/fixtures/${name}`, import.meta.url))]);
    const label = async (name: string, declared: Provenance | undefined, caller = ada) => {
      const image = await file(name);
      const { post } = await caller.createPost({
        title: "A picture",
        image,
        ...(declared && { provenance: declared }),
      });
      return `${post.provenance}, ${post.provenanceBasis}`;
    };
    expect(await label("generated.jpg", undefined)).toBe("ai_generated, declared");
    expect(await label("generated.jpg", "ai_assisted")).toBe("ai_generated, declared");
    expect(await label("edited.png", "human")).toBe("ai_assisted, declared");
    expect(await label("edited.png", "ai_generated")).toBe("ai_generated, declared");
    expect(await label("captured.jpg", undefined)).toBe("human, declared");
    expect(await label("captured.jpg", "ai_assisted")).toBe("ai_assisted, declared");
    const { post } = await personalKey.createPost({ title: "By key", image: await file("captured.jpg") });
    expect(post).toMatchObject({ provenance: "ai_generated", provenanceBasis: "stamped" });
    const markedAvatar = async (name: string) =>
      (await ada.setAvatar({ image: await file(name) })).user.aiGeneratedFields.includes("avatarUrl");
    expect(await markedAvatar("generated.jpg")).toBe(true);
    expect(await markedAvatar("captured.jpg")).toBe(false);
    expect(await markedAvatar("edited.png")).toBe(true);
  });

  test("filters the feed by the stamped provenance", async () => {
    const { post } = await ada.createPost({ title: "Stamped later" });
    const isListedAs = async (provenance: string) =>
      (await ada.listPosts({ provenance })).posts.some(({ id }) => id === post.id);
    expect([await isListedAs("human"), await isListedAs("ai_generated")]).toEqual([true, false]);
    await personalKey.editPost({ id: post.id, body: "By key" });
    expect([await isListedAs("human"), await isListedAs("ai_generated")]).toEqual([false, true]);
  });

  test("a key takes precedence over a session cookie", async () => {
    const both = tandem.as.with({
      ...ada.options.headers,
      authorization: `Bearer ${personalKey.options.key}`,
    });
    expect((await both.createPost({ title: "Which?" })).post.provenance).toBe("ai_generated");
  });

  test("stamps comments the same way as posts", async () => {
    const { post } = await ada.createPost({ title: "To be discussed" });
    const commenter = await tandem.as.key(["comments:write"], ada);
    const mark = async (caller: Caller) =>
      (await caller.createComment({ id: post.id, body: "Said" })).comment.isAiGenerated;
    expect(await Promise.all([ada, commenter, agent, asAgent].map(mark))).toEqual([false, true, true, true]);
    const { comment } = await ada.createComment({ id: post.id, body: "By hand" });
    const edited = async (caller: Caller) =>
      (await caller.editComment({ id: comment.id, body: "Edited" })).comment.isAiGenerated;
    expect([await edited(ada), await edited(commenter), await edited(ada)]).toEqual([false, true, true]);
  });
});
