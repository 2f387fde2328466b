import { makeAdmin } from "@tandem/testing/admins";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { understandPosts } from "./understand-posts.ts";

describe.each(engines)("similar posts on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let agent: AgentCaller;
  const ids = new Map<string, number>();
  const titled = (title: string): number => ids.get(title) ?? 0;

  const publish = async (caller: Caller, title: string, body?: string) => {
    const { post } = await caller.createPost({ title, ...(body !== undefined && { body }) });
    ids.set(title, post.id);
    return post.id;
  };
  const understand = () => understandPosts(tandem.services, new AbortController().signal);
  const search = async (q: string, caller: Caller = bob, more = {}) =>
    (await caller.listSimilarPosts({ q, ...more })).posts.map(({ title }) => title);

  const weaving = "Weaving patterned cloth on a mechanical loom";
  const cards = "A jacquard loom weaves patterns with punched cards";
  const rates = "The central bank raises borrowing costs";
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: { SIMILAR_POSTS: "1" } });
    [ada, bob, agent] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.agent()];
    await publish(ada, weaving);
    await publish(agent, cards);
    await publish(ada, rates);
    await understand();
  });
  afterAll(() => tandem.stop());

  test("are found by what they mean, with none of the words", async () => {
    expect(await search("interest rates go up")).toEqual([rates]);
    expect((await search("making textiles with machines")).toSorted()).toEqual([cards, weaving]);
    const { posts } = await bob.listSimilarPosts({ postId: titled(weaving) });
    expect(posts.map(({ title }) => title)).toEqual([cards]);
  });

  test("obey filters, preferences, blocks and mutes like a feed", async () => {
    const find = (caller?: Caller, more = {}) => search("a loom that weaves patterns", caller, more);
    expect(await find(bob, { provenance: "human" })).toEqual([weaving]);
    expect(await find(bob, { platform: "reddit" })).toEqual([]);
    expect(await find(bob, { limit: 1 })).toHaveLength(1);
    const reader = await tandem.as.human();
    await reader.editPreferences({ aiPosts: "hide" });
    expect(await find(reader)).toEqual([weaving]);
    const muting = await tandem.as.human();
    await muting.mute({ word: "mechanical" });
    expect(await find(muting)).toEqual([cards]);
    const blocking = await tandem.as.human();
    await blocking.block({ username: ada.user.username });
    expect(await find(blocking)).toEqual([cards]);
  });

  test("are found by their new text after an edit, and no longer once they are deleted or removed", async () => {
    const bread = async () => (await search("how to bake bread")).filter((title) => title?.includes("bread"));
    const id = await publish(ada, "Bake bread with sourdough");
    const other = await publish(ada, "Baking rye bread at home");
    await understand();
    expect(await bread()).toHaveLength(2);
    await ada.editPost({ id, title: "The cat sleeps on the sofa" });
    await understand();
    expect(await bread()).toEqual(["Baking rye bread at home"]);
    expect(await search("a kitten on the couch")).toEqual(["The cat sleeps on the sofa"]);
    const empty = await publish(ada, ".", " ");
    await understand();
    expect((await bob.listSimilarPosts({ postId: empty })).posts).toEqual([]);
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.removePost({ id: other, reason: "Off topic" });
    expect(await bread()).toEqual([]);
    expect((await bob.call("listSimilarPosts", { postId: other })).status).toBe(404);
    await ada.deletePost({ id });
    expect(await search("a kitten on the couch")).toEqual([]);
  });

  test("by agents are listed for admins if they nearly repeat an earlier post", async () => {
    const text = "Our new course teaches you to trade currencies. Sign up today and earn more.";
    const first = await publish(ada, "Earn more with currencies", text);
    const repeated = await publish(agent, "Earn more with currencies!", text);
    await publish(bob, "Earn more with currencies", `${text} Really.`);
    await understand();
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const { pairs } = await admin.listRepeatedPosts();
    expect(pairs).toMatchObject([{ post: { id: repeated, isAgent: true }, earlier: { id: first } }]);
    expect(pairs[0]?.percent).toBeGreaterThan(95);
    await ada.deletePost({ id: first });
    expect((await admin.listRepeatedPosts()).pairs).toEqual([]);
  });

  test("by agents are no repetition if they say something else in the same way, or in another language", async () => {
    await publish(ada, "Grüße aus Zürich", "Grüße aus Zürich und ein paar Äpfel für den Winter.");
    await publish(ada, "那覇で見かけた自転車");
    await publish(ada, "The train to Oslo leaves at nine");
    await publish(agent, "Straßenbahnen", "Straßenbahnen in der Schloßstraße und wie man sie zählt.");
    await publish(agent, "大阪で見かけた星空");
    await publish(agent, "A bus for Bergen departs at ten");
    await understand();
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    expect((await admin.listRepeatedPosts()).pairs).toEqual([]);
    for (const q of ["カメラと過ごす静かな休日", "Äpfel für den Winter, Grüße", "🎉"])
      expect(await search(q)).toEqual([]);
    expect(await search("travelling by rail 🚆")).toContain("The train to Oslo leaves at nine");
  });

  once("need either a text or a post", async () => {
    for (const input of [{}, { q: "looms", postId: titled(weaving) }]) {
      const { status, body } = await bob.call("listSimilarPosts", input);
      expect([status, body.code]).toEqual([400, "invalid_input"]);
    }
    expect((await bob.call("listSimilarPosts", { postId: 999_999 })).status).toBe(404);
  });
});

test("a server that doesn't find posts by meaning says so", async () => {
  await using tandem = await startTandem();
  expect(await tandem.as.anonymous().listSimilarPosts({ q: "looms" })).toEqual({
    posts: [],
    available: false,
  });
});
