import {
  aiActors,
  expected,
  type Item,
  itemsByToken,
  type Observation,
  type World,
} from "@tandem/testing/authorship-model";
import { notifiedComments, pictureMarks, readers, versionsOf } from "@tandem/testing/authorship-readers";
import { Reading } from "@tandem/testing/authorship-reading";
import { reads, textReads, unmodelledReads } from "@tandem/testing/authorship-reads";
import { sentInputs } from "@tandem/testing/authorship-step";
import {
  everyWriteBy,
  perform,
  publishingInputs,
  type Step,
  stepArbitrary,
  unmodelledInputs,
} from "@tandem/testing/authorship-writers";
import type { Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { connectMcp } from "@tandem/testing/mcp-clients";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeWebhook } from "@tandem/testing/webhook-fixtures";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/*
 * The promise of the service: everyone can always tell what AI wrote. Random histories of writes by a person, their keys,
 * their agent's keys and the agent's session; then every reader must say of each text whether a key or agent ever touched it.
 */

describe.each(engines)("whatever a key or agent touched on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  test("is called AI wherever it can be read, and what only a person touched isn't", async () => {
    const histories = fc.array(stepArbitrary, { minLength: 25, maxLength: 50 });
    // What else writes differs in the request, not in the SQL.
    const writers = engine === "sqlite" ? aiActors : (["asking", "bot"] as const);
    const examples = writers.map((actor): [Step[]] => [everyWriteBy(actor)]);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await using world = await newWorld(tandem);
        for (const step of steps) {
          await perform(world, step);
          compare(`the response to ${step.write}`, world.answers.splice(0), itemsByToken(world));
        }
        await tandem.services.afterResponse.idle();
        await check(world, seen);
      }),
      { examples, numRuns: examples.length + (engine === "sqlite" ? 2 : 1), endOnFailure: true },
    );
    // The histories had something to check of each kind, by AI and by people.
    for (const kind of ["post", "comment", "product"])
      expect([...seen]).toEqual(expect.arrayContaining([`${kind} ai_generated`, `${kind} human`]));
    // Each reader had something to show.
    expect(Object.keys(readers).filter((name) => !seen.has(name))).toEqual([]);
    // And left out no operation, and no field of one, that puts text or media before others.
    const operationOf = (input: string) => input.split(".")[0] ?? input;
    const isExcepted = (input: string) =>
      unmodelledInputs.has(input) || unmodelledInputs.has(operationOf(input));
    const required = publishingInputs();
    expect(required.filter((input) => !sentInputs.has(input) && !isExcepted(input))).toEqual([]);
    expect(
      [...unmodelledInputs.keys()].filter((input) => sentInputs.has(input) || !required.includes(input)),
    ).toEqual([]);
  });
});

test("the model reads every operation that shows what users wrote, or says why not", () => {
  expect([...Object.keys(reads), ...unmodelledReads.keys()].sort()).toEqual(textReads.toSorted());
});

async function newWorld(tandem: Tandem): Promise<World & AsyncDisposable> {
  const [ada, bob, carol] = (await Promise.all([1, 2, 3].map(() => tandem.as.human()))) as [
    Person,
    Person,
    Person,
  ];
  const { post } = await bob.createPost({ title: "By bob" });
  const community = communityName();
  await ada.createCommunity({ name: community });
  const [key, asking] = [await tandem.as.key(undefined, ada), await tandem.as.key(undefined, ada)];
  const bot = await tandem.as.agent(ada);
  const second = await ada.mintKey({
    agentId: bot.agent.id,
    scopes: "posts:write,comments:write,profile:write,products:write",
  });
  const botAsking = tandem.as.bearer(String(second.secret));
  for (const id of [asking.keyId, second.key.id]) await ada.editKey({ id, approval: true });
  await makeWebhook(tandem.storage, bob);
  // Agents may answer messages, but not begin a conversation.
  await ada.sendMessage({ username: bot.agent.username, body: "Hello." });
  await ada.sendMessage({ username: bob.user.username, body: "Hello." });
  await ada.requestFriend({ username: bob.user.username });
  const { request } = await carol.requestFriend({ username: ada.user.username });
  await ada.acceptFriend({ id: Number(request?.id) });
  await carol.block({ username: bot.agent.username });
  await bot.joinCommunity({ name: community });
  await bot.mute({ platform: "native", author: ada.user.username });
  for (const author of [ada.user.username, bot.agent.username])
    await bob.follow({ platform: "native", author });
  const { list } = await ada.createList({ name: "Both" });
  for (const author of [ada.user.username, bot.agent.username])
    await ada.addToList({ id: list.id, platform: "native", author });
  const headers = { authorization: `Bearer ${key.options.key}` };
  const mcp = await connectMcp("2026-07-28", { url: `${tandem.baseUrl}/mcp`, headers });
  const botSession = await tandem.as.agentSession(ada, bot.agent.id);
  return {
    ...{ tandem, ada, bob, carol, bobsPost: post.id, botId: bot.agent.id, listId: list.id, community, mcp },
    names: { ada: ada.user.username, bot: bot.agent.username },
    callers: { ada, key, asking, bot, botAsking, botSession },
    picture: new Blob([new Uint8Array(await drawPicture())]),
    ...{ posts: [], comments: [], products: [], messages: [], drafts: [] },
    ...{ lives: new Map(), communityTexts: new Map(), profile: new Map() },
    ...{ introducedByAi: new Map(), answers: [] },
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}

async function check(world: World, seen: Set<string>): Promise<void> {
  const items = itemsByToken(world);
  // So that they are in bob's lists, and quoted to their authors.
  for (const { id } of world.posts.slice(-3)) {
    for (const name of ["savePost", "likePost"] as const) await world.bob.call(name, { id });
    await world.ada.call("repostPost", { id });
  }
  const reading = new Reading(world);
  const existing = new Set<string>();
  for (const [name, { shows = [], of, isBroad, read }] of Object.entries(readers)) {
    const observations = (await read(reading)).filter(({ token }) => items.has(token));
    compare(name, isBroad ? observations.filter(({ token }) => items.get(token)?.ai) : observations, items);
    const shown = new Set(observations.map(({ token }) => token));
    if (shown.size > 0) seen.add(name);
    // What the API shows exists: undoing and deleting aren't what this test is about.
    if (name.startsWith("the API")) for (const token of shown) existing.add(token);
    const missing = [...existing].filter((token) => {
      const item = items.get(token);
      const isShown = item && shows.includes(item.kind) && (!of || item.account === of);
      return isShown && token === item.token && !shown.has(token);
    });
    expect(missing, `${name} shows everything`).toEqual([]);
  }
  compare("pictures", await pictureMarks(reading), items);
  compareVersions(world, await versionsOf(reading), items);
  const createdByAi = new Map(world.comments.map(({ id, createdByAi }) => [id, createdByAi]));
  for (const { id, byAi } of await notifiedComments(world))
    if (createdByAi.has(id)) expect({ id, byAi }).toEqual({ id, byAi: createdByAi.get(id) });
  for (const token of existing) {
    const item = items.get(token);
    if (item) seen.add(`${item.kind} ${expected(item)}`);
  }
}

function compare(name: string, observations: Observation[], items: ReadonlyMap<string, Item>): void {
  const known = observations.flatMap(({ token, said }) => {
    const item = items.get(token);
    return item ? [{ token, kind: item.kind, said, wanted: expected(item) }] : [];
  });
  const wrong = known.filter(({ said, wanted }) => said !== wanted);
  expect(wrong, name).toEqual([]);
}

/** Each version has at least the mark of what it says; the current one has that of the item. */
function compareVersions(
  { introducedByAi }: World,
  versions: Awaited<ReturnType<typeof versionsOf>>,
  items: ReadonlyMap<string, Item>,
): void {
  compare(
    "current versions",
    versions.filter(({ current }) => current),
    items,
  );
  const unmarked = versions.filter(({ token, said }) => introducedByAi.get(token) && said !== "ai_generated");
  expect(unmarked, "versions by AI").toEqual([]);
}
