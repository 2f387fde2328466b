import { MINUTE } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { transparency as migration } from "../../storage/migrations/0027-transparency.ts";
import type { Db } from "../../storage/storage.ts";
import { increment } from "../shared/daily-stats.ts";
import { rollUp } from "./operator-counts.ts";

describe.each(engines)("transparency on %s", (engine) => {
  test("shows labels, decisions, appeals and operators, and a migration counts the same from what is there", async () => {
    const clock = { now: Date.now() };
    await using tandem = await startTandem(engine, { now: () => clock.now });
    const read = async () => {
      clock.now += MINUTE;
      return (await tandem.as.anonymous().readTransparency()).transparency;
    };
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const ada = await tandem.as.human();
    const key = await tandem.as.key(["posts:write", "comments:write"], ada);
    const agents = [await tandem.as.agent(ada), await tandem.as.agent(ada), await tandem.as.agent(admin)];
    const { post } = await ada.createPost({ title: "By hand" });
    await ada.createPost({ title: "Declared", provenance: "ai_assisted" });
    const { post: relabelled } = await ada.createPost({ title: "By hand, then by key" });
    await key.editPost({ id: relabelled.id, title: "By key" });
    const { post: spam } = await key.createPost({ title: "By key" });
    await agents[0]?.createPost({ title: "By an agent" });
    const { comment } = await ada.createComment({ id: post.id, body: "By hand" });
    await key.createComment({ id: post.id, body: "By key" });
    const { comment: reworded } = await ada.createComment({ id: post.id, body: "By hand, then by key" });
    for (const body of ["By key", "By key again"]) await key.editComment({ id: reworded.id, body });
    for (const id of [spam.id, relabelled.id]) await admin.removePost({ id, reason: "Advertising" });
    await admin.removeComment({ id: comment.id, reason: "Rude" });
    const { decisions } = await ada.listDecisions();
    const decisionOf = (postId: number) => decisions.find((decision) => decision.postId === postId)?.id ?? 0;
    for (const [id, accept] of [
      [spam.id, false],
      [relabelled.id, true],
    ] as const) {
      await ada.createAppeal({ decisionId: decisionOf(id), text: "It was fine." });
      await admin.answerAppeal({ id: decisionOf(id), accept, answer: "I looked again." });
    }
    const before = await read();
    expect(before.agents).toEqual({
      ...{ total: 0, operators: 0, countedAt: null },
      byAgents: [1, 2, 3, 4, 5].map((agents) => ({ agents, operators: 0 })),
    });
    await rollUp(tandem.services, new AbortController().signal);
    const shown = await read();
    expect(shown.totals).toEqual({
      posts: {
        human: { declared: 1, origin: 0, assumed: 0 },
        ai_assisted: { declared: 1, origin: 0 },
        ai_generated: { stamped: 3, declared: 0, origin: 0 },
      },
      comments: { people: 1, ai: 2 },
      communityRemovals: { posts: 0, comments: 0, bans: 0, undone: 0 },
      removals: { posts: 2, comments: 1, pictures: 0, communities: 0, suspensions: 0, held: 0, undone: 1 },
      appeals: { filed: 2, accepted: 1, rejected: 1 },
    });
    expect(shown.agents).toMatchObject({ total: 3, operators: 2 });
    const markdown = await (await fetch(`${tandem.baseUrl}/transparency.md`)).text();
    expect(markdown).toContain(`3 agents of 2 people, counted ${shown.agents.countedAt}.`);
    expect(markdown).toContain("| Bans in communities | 0 |");
    expect(shown.agents.byAgents.slice(0, 3)).toEqual([
      { agents: 1, operators: 1 },
      { agents: 2, operators: 1 },
      { agents: 3, operators: 0 },
    ]);
    expect(shown.days).toHaveLength(30);
    expect(shown.days.at(-1)).toMatchObject({ posts: shown.totals.posts, day: shown.time.slice(0, 10) });
    const { days } = await admin.readNumbers({ days: 1 });
    expect(days[0]).toMatchObject({ postsByPeople: 1, postsByAi: 3, postsWithAi: 1, decisions: 3 });

    await tandem.storage.write(async (tx) => {
      await undo(tx);
      await migration(tx);
    });
    expect({ ...(await read()), agents: shown.agents, time: shown.time }).toEqual(shown);
    await tandem.storage.write(async (tx) => {
      await insertImportedPost(tx, { platform: "rss", title: "Known", provenance: "ai_generated" });
    });
    const { posts } = await tandem.as.anonymous().listPosts({ platform: "rss", basis: "origin" });
    expect(posts.map(({ title }) => title)).toEqual(["Known"]);
  });

  test("is read once a minute, and merged counts stay the same", async () => {
    const clock = { now: Date.now() };
    await using tandem = await startTandem(engine, { now: () => clock.now });
    const ada = await tandem.as.human();
    const posts = async () =>
      (await ada.readTransparency({ days: 3 })).transparency.totals.posts.human.declared;
    expect(await posts()).toBe(0);
    await ada.createPost({ title: "One" });
    expect(await posts()).toBe(0);
    clock.now += MINUTE;
    expect(await posts()).toBe(1);
    const yesterday = clock.now - 24 * 60 * MINUTE;
    for (let i = 0; i < 40; i += 1)
      await tandem.storage.write((tx) => increment(tx, "posts/human/declared", yesterday));
    await rollUp(tandem.services, new AbortController().signal);
    clock.now += MINUTE;
    expect(await posts()).toBe(41);
    expect(await rowsOf(tandem, yesterday)).toBe(1);
  });
});

async function undo(tx: Db): Promise<void> {
  await sql`delete from day_counts where what like 'posts/%' or what like 'decisions/%' or what like 'appeals/%'`.execute(
    tx,
  );
  await tx.schema.dropTable("operator_counts").execute();
  for (const order of ["id", "hot_rank_id"]) await tx.schema.dropIndex(`posts_stated_${order}`).execute();
}

async function rowsOf({ storage }: Tandem, at: number): Promise<number> {
  const day = Math.floor(at / (24 * 60 * MINUTE));
  const rows = await storage.read
    .selectFrom("day_counts")
    .select("shard")
    .where("day", "=", day)
    .where("what", "=", "posts/human/declared")
    .execute();
  return rows.length;
}
