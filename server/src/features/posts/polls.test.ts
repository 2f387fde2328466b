import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { counterRules } from "../../cli/check/counters.ts";
import { checkRule } from "../../cli/check/run-rule.ts";

describe.each(engines)("polls on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  /** The service's clock is ahead by this much. */
  let ahead = 0;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: () => Date.now() + ahead });
  });
  afterAll(() => tandem.stop());

  const people = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => tandem.as.human()))) as [Person, Person, Person];
  const after = (time: number) => new Date(Date.now() + ahead + time).toISOString();
  const pollOf = (more = {}) => ({ options: ["Jacquard", "Dobby"], closesAt: after(DAY), ...more });
  const ask = async (author: Caller, more = {}) =>
    (await author.createPost({ title: "Which loom?", poll: pollOf(more) })).post.id;
  const results = async (reader: Caller, id: number) => (await reader.readPost({ id })).post.pollResults;
  const refused = (code: string, field?: string) =>
    expect.objectContaining({ code, ...(field && { field }) });
  const miscounted = async () => {
    const found: string[] = [];
    for (const rule of counterRules.filter(({ table }) => table.startsWith("poll")))
      await checkRule(rule, tandem.storage.read, null, (problem) => found.push(problem));
    return found;
  };

  once("count each account's latest vote, and those of keys and agents apart", async () => {
    const [ada, bob] = await people(2);
    const [bot, key] = [await tandem.as.agent(ada), await tandem.as.key(["engagement:write"], ada)];
    const id = await ask(ada);
    const none = { people: 0, agents: 0 };
    expect(await results(bob, id)).toEqual({ votes: [none, none], voters: none });
    await bob.vote({ id, choices: [0] });
    await bot.vote({ id, choices: [0] });
    await key.vote({ id, choices: [1] });
    const votes = [
      { people: 1, agents: 1 },
      { people: 0, agents: 1 },
    ];
    const voters = { people: 1, agents: 2 };
    expect(await bob.vote({ id, choices: [0] })).toEqual({ pollResults: { votes, voters, choices: [0] } });
    expect(await results(tandem.as.anonymous(), id)).toEqual({ votes, voters });
    // The person replaces the vote of their key.
    await ada.vote({ id, choices: [0] });
    await bob.unvote({ id });
    const standing = async () => (await results(ada, id))?.voters;
    expect(await standing()).toEqual({ people: 1, agents: 1 });
    // Who casts it last counts, also for the same options.
    await key.vote({ id, choices: [0] });
    expect(await standing()).toEqual({ people: 0, agents: 2 });
    await ada.vote({ id, choices: [0] });
    expect(await results(ada, id)).toEqual({
      votes: [{ people: 1, agents: 1 }, none],
      voters: { people: 1, agents: 1 },
      choices: [0],
    });
    const listed = (await bob.listPosts({ author: ada.user.username })).posts;
    expect(listed.map(({ poll, pollResults }) => [poll?.options, pollResults?.choices])).toEqual([
      [["Jacquard", "Dobby"], undefined],
    ]);
  });

  once("take one or several options, until they close", async () => {
    const [ada, bob] = await people(2);
    const [one, several] = [
      await ask(ada),
      await ask(ada, { isMultiple: true, closesAt: after(10 * MINUTE) }),
    ];
    await expect(bob.vote({ id: one, choices: [0, 1] })).rejects.toEqual(refused("invalid_input", "choices"));
    await expect(bob.vote({ id: one, choices: [2] })).rejects.toEqual(refused("invalid_input", "choices"));
    const { pollResults } = await bob.vote({ id: several, choices: [1, 0] });
    expect(pollResults).toMatchObject({ voters: { people: 1 }, choices: [0, 1] });
    const plain = (await ada.createPost({ title: "No poll" })).post.id;
    await expect(bob.vote({ id: plain, choices: [0] })).rejects.toEqual(refused("not_found"));
    await ada.block({ username: bob.user.username });
    await expect(bob.vote({ id: several, choices: [0] })).rejects.toEqual(refused("forbidden"));
    ahead += 10 * MINUTE;
    await expect(ada.vote({ id: several, choices: [0] })).rejects.toEqual(refused("poll_closed"));
    await expect(bob.unvote({ id: several })).rejects.toEqual(refused("poll_closed"));
  });

  test("must make sense, and never change", async () => {
    const ada = await tandem.as.human();
    const wrong: object[] = [
      { options: ["Only one"] },
      { options: ["Same", " same "] },
      { options: ["Jacquard loom", "jacquard  loom"] },
      { options: ["Caf\u00e9", "CAFE\u0301"] },
      { options: ["a", "x".repeat(81)] },
      { options: Array.from({ length: 11 }, (_, i) => `${i}`) },
      { options: ["Hidden\u200b", "b"] },
      { closesAt: after(4 * MINUTE) },
      { closesAt: after(31 * DAY) },
      { closesAt: undefined },
      { isMultiple: 1 },
      { more: true },
    ];
    for (const more of wrong) await expect(ask(ada, more)).rejects.toEqual(refused("invalid_input", "poll"));
    await expect(ask(ada, { closesAt: undefined })).rejects.toThrow("poll.closesAt is required.");
    expect(
      (await ada.readPost({ id: await ask(ada, { options: ["x²", "x2"] }) })).post.poll?.options,
    ).toHaveLength(2);
    const { post } = await ada.createPost({ title: "Which loom?", poll: pollOf() });
    const edit = (poll: unknown) => ada.editPost({ id: post.id, title: "Which one?", poll } as never);
    await expect(edit({ ...post.poll, options: ["Other", "Dobby"] })).rejects.toEqual(
      refused("invalid_input", "poll"),
    );
    await edit(post.poll);
    const { versions } = await ada.listPostVersions({ id: post.id });
    expect(versions.map(({ poll }) => poll)).toEqual([post.poll, post.poll]);
    expect((await ada.listPosts({ q: "jacquard which", author: ada.user.username })).posts).toHaveLength(1);
  });

  once("of drafts are checked when they are scheduled and when they are published", async () => {
    const ada = await tandem.as.human();
    const poll = pollOf({ closesAt: after(2 * HOUR) });
    const { draft } = await ada.createDraft({ title: "Later", poll });
    expect(draft.poll).toEqual({ ...poll, isMultiple: false });
    const schedule = (time: number) => ada.editDraft({ id: draft.id, publishAt: after(time) });
    await expect(schedule(2 * HOUR - MINUTE)).rejects.toEqual(refused("invalid_input", "poll"));
    await schedule(HOUR);
    await ada.editDraft({ id: draft.id, publishAt: null });
    ahead += 2 * HOUR;
    await expect(ada.publishDraft({ id: draft.id })).rejects.toEqual(refused("invalid_input", "poll"));
    await ada.editDraft({ id: draft.id, poll: pollOf({ closesAt: after(HOUR) }) });
    // Who publishes it leaves time to vote; only what is published at its set time may be late.
    ahead += HOUR - 4 * MINUTE;
    await expect(ada.publishDraft({ id: draft.id })).rejects.toEqual(refused("invalid_input", "poll"));
    const bot = await tandem.as.agent(ada);
    await ada.editKey({ id: bot.keyId, approval: true });
    const held = await pendingDraft(ask(bot, { closesAt: after(5 * MINUTE + 1000) }));
    ahead += MINUTE;
    await expect(ada.approveDraft({ id: held })).rejects.toEqual(refused("invalid_input", "poll"));
    await ada.editDraft({ id: draft.id, poll: pollOf() });
    const { postId } = await ada.publishDraft({ id: draft.id });
    expect(await results(ada, Number(postId))).toMatchObject({ voters: { people: 0 } });
  });

  once("hold the votes of agents that have to ask: one at a time, which never changes", async () => {
    const ada = await tandem.as.human();
    const bot = await tandem.as.agent(ada);
    const id = await ask(ada);
    await ada.editKey({ id: bot.keyId, approval: true });
    const first = await pendingDraft(bot.vote({ id, choices: [0] }));
    expect(await pendingDraft(bot.vote({ id, choices: [0] }))).toBe(first);
    // What was read can't become something else: it was withdrawn.
    const second = await pendingDraft(bot.vote({ id, choices: [1] }));
    await expect(ada.approveDraft({ id: first })).rejects.toEqual(refused("already_decided"));
    expect((await ada.listDrafts()).drafts).toMatchObject([{ id: second, operation: "vote", choices: [1] }]);
    const { notifications } = await ada.listNotifications();
    expect(notifications.map(({ draftId }) => draftId)).toEqual([second, first]);
    // Nothing to take back yet, so that withdraws what waits.
    await bot.unvote({ id });
    expect((await ada.listDrafts()).drafts).toEqual([]);
    await ada.approveDraft({ id: await pendingDraft(bot.vote({ id, choices: [1] })) });
    // A vote for what is chosen already changes nothing, and withdraws what waits to choose something else.
    await pendingDraft(bot.vote({ id, choices: [0] }));
    await bot.vote({ id, choices: [1] });
    expect((await ada.listDrafts()).drafts).toEqual([]);
    await pendingDraft(bot.vote({ id, choices: [0] }));
    await ada.editKey({ id: bot.keyId, approval: false });
    await bot.vote({ id, choices: [1] });
    expect((await ada.listDrafts()).drafts).toEqual([]);
    const voters = async () => (await results(ada, id))?.voters;
    expect(await voters()).toEqual({ people: 0, agents: 1 });
    const over = await ask(ada, { closesAt: after(10 * MINUTE) });
    await bot.vote({ id: over, choices: [0] });
    ahead += 10 * MINUTE;
    expect((await ada.undoAgent({ id: bot.agent.id })).undone).toMatchObject({ votes: 1 });
    expect(await voters()).toEqual({ people: 0, agents: 0 });
    // A closed poll keeps its votes, and the activity doesn't say otherwise.
    const entries = (await ada.listActivity({ agentId: bot.agent.id })).activity;
    const undoneOn = (post: number) =>
      entries.flatMap(({ operation, postId, undone }) =>
        operation === "vote" && postId === post ? [undone] : [],
      );
    expect([undoneOn(over), undoneOn(id).includes(true)]).toEqual([[false], true]);
  });

  test("count concurrent votes, each account once", async () => {
    const ada = await tandem.as.human();
    const voters = await people(4);
    const id = await ask(ada, { isMultiple: true });
    const choices = [[0], [1], [0, 1]];
    await Promise.all(
      voters.flatMap((voter) =>
        [...choices, ...choices].map((chosen) => voter.vote({ id, choices: chosen })),
      ),
    );
    expect((await results(ada, id))?.voters).toEqual({ people: 4, agents: 0 });
    expect(await miscounted()).toEqual([]);
  });

  test("have counters that equal the votes, whatever happens", async () => {
    const authors = await people(2);
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const step = fc.record({
      act: fc.constantFrom("vote", "vote", "vote", "unvote", "delete account", "delete post", "remove"),
      who: fc.nat(4),
      post: fc.nat(1),
      choices: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const options = ["a", "b", "c"];
        const posts = [
          await ask(authors[0], { options, isMultiple: true }),
          await ask(authors[1], { options, isMultiple: true }),
        ];
        const [first, second] = await people(2);
        const voters: Caller[] = [
          ...[first, second, await tandem.as.agent(first), await tandem.as.agent(second)],
          await tandem.as.key(["engagement:write"], first),
        ];
        /** By post and account: what it chose, and whether AI cast that. The key votes for its person. */
        const model = posts.map(() => new Map<Caller, { choices: number[]; byAi: boolean }>());
        for (const { act, who, post, choices } of steps) {
          const [voter, id] = [voters[who] as Caller, Number(posts[post])];
          const votes = model[post];
          const account = who === 4 ? first : voter;
          if (act === "vote" && (await voter.call("vote", { id, choices })).status === 200)
            votes?.set(account, { choices, byAi: who >= 2 });
          else if (act === "unvote" && (await voter.call("unvote", { id })).status === 200)
            votes?.delete(account);
          else if (act === "delete account" && who < 2) {
            const person = voters[who] as Person;
            if ((await person.call("deleteAccount", { password: person.password })).status === 200)
              for (const map of model)
                for (const gone of [person, voters[who + 2]]) map.delete(gone as Caller);
          } else if (act === "delete post") await authors[post]?.call("deletePost", { id });
          else if (
            act === "remove" &&
            (await admin.call("removePost", { id, reason: "Spam" })).status === 200
          )
            await admin.restorePost({ id });
        }
        for (const [i, id] of posts.entries()) {
          const { status, body } = await admin.call("readPost", { id });
          if (status === 404) continue;
          const votes = [...(model[i]?.values() ?? [])];
          const of = (option: number, isAgent: boolean) =>
            votes.filter(({ choices, byAi }) => byAi === isAgent && choices.includes(option)).length;
          const { post } = body as { post: { pollResults: { votes: unknown } } };
          expect(post.pollResults.votes).toEqual(
            options.map((_, option) => ({ people: of(option, false), agents: of(option, true) })),
          );
        }
        expect(await miscounted()).toEqual([]);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    const left = await tandem.storage.read
      .selectFrom("poll_votes as v")
      .leftJoin("polls as p", "p.post_id", "v.post_id")
      .select("v.user_id")
      .where("p.post_id", "is", null)
      .execute();
    expect(left).toEqual([]);
  });
});
