import { actors, expected, type Item, itemsIn, type World } from "@tandem/testing/authorship-model";
import {
  notifiedComments,
  type Observation,
  pictureMarks,
  readers,
} from "@tandem/testing/authorship-readers";
import { everyWriteBy, perform, type Step, stepArbitrary } from "@tandem/testing/authorship-writers";
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
    const histories = fc.array(stepArbitrary, { minLength: 15, maxLength: 30 });
    const examples = actors.map((actor): [Step[]] => [everyWriteBy(actor)]);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await using world = await newWorld(tandem);
        for (const step of steps) await perform(world, step);
        await tandem.services.afterResponse.idle();
        await check(world, seen);
      }),
      { examples, numRuns: examples.length + (engine === "sqlite" ? 4 : 1), endOnFailure: true },
    );
    // The histories had something to check of each kind, by AI and by people.
    for (const kind of ["post", "comment", "product"])
      expect([...seen]).toEqual(expect.arrayContaining([`${kind} ai_generated`, `${kind} human`]));
  });
});

async function newWorld(tandem: Tandem): Promise<World & AsyncDisposable> {
  const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
  const { post } = await bob.createPost({ title: "By bob" });
  const [key, asking] = [await tandem.as.key(undefined, ada), await tandem.as.key(undefined, ada)];
  const bot = await tandem.as.agent(ada);
  const second = await ada.mintKey({
    agentId: bot.agent.id,
    scopes: "posts:write,comments:write,profile:write,products:write",
  });
  const botAsking = tandem.as.bearer(String(second.secret));
  for (const id of [asking.keyId, second.key.id]) await ada.editKey({ id, approval: true });
  await makeWebhook(tandem.storage, bob);
  // Agents may response messages, but not begin a conversation.
  await ada.sendMessage({ username: bot.agent.username, body: "Hello." });
  const headers = { authorization: `Bearer ${key.options.key}` };
  const mcp = await connectMcp("2026-07-28", { url: `${tandem.baseUrl}/mcp`, headers });
  const botSession = await tandem.as.agentSession(ada, bot.agent.id);
  return {
    ...{ tandem, ada, bob, bobsPost: post.id, botId: bot.agent.id, mcp },
    names: { ada: ada.user.username, bot: bot.agent.username },
    callers: { ada, key, asking, bot, botAsking, botSession },
    picture: new Blob([new Uint8Array(await drawPicture())]),
    ...{ posts: [], comments: [], products: [], messages: [], drafts: [] },
    ...{ lives: new Map(), profile: new Map() },
    [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose](),
  };
}

async function check(world: World, seen: Set<string>): Promise<void> {
  const items = new Map(itemsIn(world).map((item) => [item.token, item]));
  const existing = new Set<string>();
  for (const [name, { shows, of, read }] of Object.entries(readers)) {
    const observations = (await read(world)).filter(({ token }) => items.has(token));
    compare(name, observations, items);
    const shown = new Set(observations.map(({ token }) => token));
    // What the API shows exists: undoing and deleting aren't what this test is about.
    if (name.startsWith("the API")) for (const token of shown) existing.add(token);
    const missing = [...existing].filter((token) => {
      const item = items.get(token);
      return item && shows.includes(item.kind) && (!of || item.account === of) && !shown.has(token);
    });
    expect(missing, `${name} shows everything`).toEqual([]);
  }
  compare("pictures", await pictureMarks(world), items);
  const createdByAi = new Map(world.comments.map(({ id, createdByAi }) => [id, createdByAi]));
  for (const { id, byAi } of await notifiedComments(world))
    if (createdByAi.has(id)) expect({ id, byAi }).toEqual({ id, byAi: createdByAi.get(id) });
  for (const token of existing) {
    const item = items.get(token);
    if (item) seen.add(`${item.kind} ${expected(item)}`);
  }
}

function compare(name: string, observations: Observation[], items: ReadonlyMap<string, Item>): void {
  const wanted = observations.flatMap(({ token }) => {
    const item = items.get(token);
    return item ? [{ token, kind: item.kind, said: expected(item) }] : [];
  });
  const found = observations.flatMap(({ token, said }) => {
    const item = items.get(token);
    return item ? [{ token, kind: item.kind, said }] : [];
  });
  expect(found, name).toEqual(wanted);
}
