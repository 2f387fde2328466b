import { DAY, HOUR } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "../../storage/bulk.ts";
import { announceClosedPolls, closedPolls, nextVoters } from "./closed-polls.ts";

describe.each(engines)("polls that close on %s", (engine) => {
  let tandem: Tandem;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
  });
  afterAll(() => tandem.stop());

  const announce = () => announceClosedPolls(tandem.services, new AbortController().signal);
  async function ask(author: Caller): Promise<number> {
    const closesAt = new Date(clock.now() + HOUR).toISOString();
    const poll = { options: ["Jacquard", "Dobby"], closesAt };
    return (await author.createPost({ title: "Which loom?", poll })).post.id;
  }
  const told = async (reader: Caller, id: number) =>
    (await reader.listNotifications()).notifications.filter(
      ({ type, postId }) => type === "poll_closed" && postId === id,
    );

  test("are announced once to their author and each voter, by any number of processes", async () => {
    const [ada, bob, eve, other] = (await Promise.all(
      Array.from({ length: 4 }, () => tandem.as.human()),
    )) as [Person, Person, Person, Person];
    const bot = await tandem.as.agent(bob);
    const id = await ask(ada);
    for (const voter of [ada, bob, eve, bot]) await voter.vote({ id, choices: [1] });
    await eve.unvote({ id });
    await announce();
    expect(await told(ada, id)).toEqual([]);
    clock.pass(HOUR);
    await Promise.all([announce(), announce()]);
    const actor = { username: ada.user.username };
    for (const reader of [ada, bob, bot])
      expect(await told(reader, id)).toMatchObject([{ actor, byAi: false, excerpt: "Which loom?" }]);
    for (const reader of [eve, other]) expect(await told(reader, id)).toEqual([]);
    await announce();
    expect(await told(bob, id)).toHaveLength(1);
  });

  test("aren't announced to voters who turned that off, muted or blocked the author, nor once the post is gone", async () => {
    const [ada, bob, eve, mary] = (await Promise.all(Array.from({ length: 4 }, () => tandem.as.human()))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const { people } = await bob.notificationPreferences();
    await bob.chooseNotifications({ people: people.filter((type) => type !== "poll_closed") });
    const [id, gone] = [await ask(ada), await ask(ada)];
    const byAgent = await ask(await tandem.as.agent(ada));
    await mary.vote({ id: byAgent, choices: [0] });
    for (const voter of [bob, eve, mary]) await voter.vote({ id, choices: [0] });
    await mary.vote({ id: gone, choices: [0] });
    await eve.mute({ platform: "native", author: ada.user.username });
    await mary.block({ username: ada.user.username });
    await ada.deletePost({ id: gone });
    clock.pass(DAY);
    await announce();
    expect(await told(ada, id)).toHaveLength(1);
    for (const reader of [bob, eve, mary]) expect(await told(reader, id)).toEqual([]);
    // A block of a person covers their agents.
    expect(await told(mary, byAgent)).toEqual([]);
  });

  test("are announced when the post is restored, if it was removed as they closed", async () => {
    const [ada, bob, admin] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const [id, second] = [await ask(ada), await ask(ada)];
    for (const poll of [id, second]) await bob.vote({ id: poll, choices: [1] });
    await admin.removePost({ id, reason: "Spam" });
    clock.pass(HOUR);
    await announce();
    expect([await told(ada, id), await told(bob, id)]).toEqual([[], []]);
    // Once only, if it was announced before, or is removed again.
    for (const post of [id, id, second]) {
      if (post === second) await admin.removePost({ id: post, reason: "Spam" });
      await admin.restorePost({ id: post });
      await announce();
      for (const reader of [ada, bob]) expect(await told(reader, post)).toHaveLength(1);
      await admin.removePost({ id: post, reason: "Spam" });
      await announce();
    }
  });

  test("reach every voter, however many, a few at a time", async () => {
    const ada = await tandem.as.human();
    const [id, second] = [await ask(ada), await ask(ada)];
    const voters = await addBulkUsers(tandem.storage, 120, clock.now());
    await tandem.storage.write((tx) =>
      insertRows(
        tx,
        "poll_votes",
        voters.map(({ id: user_id }) => ({ user_id, post_id: id, choices: "[0]", by_ai: 0, voted_at: 1 })),
      ),
    );
    clock.pass(HOUR);
    await announce();
    const { rows } = await sql<{ readers: number; total: number }>`
      select count(distinct user_id) as readers, count(*) as total from notifications
      where type = 'poll_closed' and post_id = ${id}`.execute(tandem.storage.read);
    expect(rows.map(({ readers, total }) => [Number(readers), Number(total)])).toEqual([[121, 121]]);
    expect(await told(ada, second)).toHaveLength(1);
  });

  test("are found by indexes, and so are their voters", async () => {
    const [due, voters] = await tandem.storage.write(async (tx) => {
      const isSqlite = engine === "sqlite";
      // The tables are small here.
      if (!isSqlite) await sql`set local enable_seqscan = off`.execute(tx);
      const polls = closedPolls(tx, clock.now());
      const explain = isSqlite ? sql`explain query plan` : sql`explain`;
      const next = sql`${explain} ${nextVoters({ postId: 1, author: 1, after: 0 })}`;
      return [
        await (isSqlite ? polls.explain(undefined, sql`query plan`) : polls.explain()),
        (await next.execute(tx)).rows,
      ];
    });
    expect(JSON.stringify(due)).toContain("polls_to_announce");
    expect(JSON.stringify(voters)).toContain("poll_votes_by_post");
  });
});
