import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { countTags, usesAfter } from "./count-tags.ts";
import { beginningWith, trending } from "./tags.ts";

const count = ({ services }: Tandem) => countTags(services, new AbortController().signal);

describe.each(engines)("hashtags on %s", (engine) => {
  test("trend by the number of people who used them, in any spelling", async () => {
    let now = Date.UTC(2026, 0, 1);
    await using tandem = await startTandem(engine, { now: () => now });
    const [ada, bob, eve] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const list = async (input = {}) => (await tandem.as.anonymous().listTags(input)).tags;
    const { post } = await ada.createPost({ title: "On #Weaving", body: "**#Wool**, `#code` and #wool" });
    for (let i = 0; i < 5; i += 1) await ada.createPost({ title: "#alone", body: "#alone #alone" });
    await bob.createComment({ id: post.id, body: "#WEAVING #wool" });
    await eve.createComment({ id: post.id, body: "#Weaving" });
    await count(tandem);
    expect(await list()).toEqual([
      { name: "Weaving", people: 3 },
      { name: "Wool", people: 2 },
    ]);
    expect(await list({ q: "#w" })).toEqual(await list());
    expect((await bob.suggestSearch({ q: "#wo" })).tags).toEqual([{ name: "Wool", people: 2 }]);
    // One person can't get any text suggested to everyone.
    expect(await list({ q: "ALO" })).toEqual([]);
    expect(await list({ q: "co" })).toEqual([]);
    expect(await list({ q: "%" })).toEqual([]);
    await ada.editPost({ id: post.id, title: "On #weaving", body: "#Wool" });
    await count(tandem);
    expect(await list()).toEqual([
      { name: "weaving", people: 3 },
      { name: "Wool", people: 2 },
    ]);
    await bob.mute({ tag: "WOOL" });
    expect((await bob.listTags()).tags).toEqual([{ name: "weaving", people: 3 }]);
    expect((await bob.listTags({ q: "wo" })).tags).toEqual([]);
    expect((await bob.suggestSearch({ q: "wo" })).tags).toEqual([]);
    now += limits.trending.hours * HOUR - 1;
    await eve.createPost({ title: "#Weaving" });
    await count(tandem);
    expect(await list()).toHaveLength(2);
    now += 1;
    await count(tandem);
    expect(await list()).toEqual([]);
    expect(await list({ q: "w" })).toEqual([]);
  });

  test("lose those who are suspended or deleted, and posts that a moderator removed", async () => {
    await using tandem = await startTandem(engine);
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const [ada, bob, eve] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const people = async () => {
      await count(tandem);
      return (await ada.listTags({ q: "tea" })).tags[0]?.people;
    };
    for (const person of [ada, bob, eve]) await person.createPost({ title: "#tea" });
    const { post } = await (await tandem.as.human()).createPost({ title: "#tea" });
    expect(await people()).toBe(4);
    await admin.removePost({ id: post.id, reason: "spam" });
    expect(await people()).toBe(3);
    await admin.restorePost({ id: post.id });
    expect(await people()).toBe(4);
    await admin.suspendAccount({ id: eve.user.id, reason: "spam" });
    expect(await people()).toBe(3);
    await bob.deleteAccount({ password: bob.password });
    expect(await people()).toBe(2);
    await admin.removePost({ id: post.id, reason: "spam" });
    expect(await people()).toBeUndefined();
    // Nor are they kept.
    expect(await tandem.storage.read.selectFrom("tags").select("tag").execute()).toEqual([]);
  });

  test("of one text and of one person count up to a limit", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const used = async () => {
      const rows = await tandem.storage.read.selectFrom("tag_uses").select("tag").execute();
      return rows.length;
    };
    const tagsFrom = (start: number) => Array.from({ length: 30 }, (_, i) => `#tag${start + i}`).join(" ");
    await ada.createPost({ title: "Many", body: `${tagsFrom(0)} #${"x".repeat(101)}` });
    expect(await used()).toBe(limits.tagsPerText);
    for (let i = 1; i < 20; i += 1) await ada.createPost({ title: "Many", body: tagsFrom(i * 100) });
    expect(await used()).toBe(limits.tagUsesPerPerson);
  });

  test("count only what people wrote themselves, whatever agents and keys do", {
    timeout: 300_000,
  }, async () => {
    await using tandem = await startTandem(engine);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const world = await newWorld(tandem);
        for (const one of steps) await perform(world, one);
        await count(tandem);
        const expected = peopleByTag(world);
        for (const name of tagNames(world)) {
          const { tags } = await world.ada.listTags({ q: name });
          const people = expected.get(name)?.size ?? 0;
          expect(tags).toEqual(people >= limits.trending.people ? [{ name, people }] : []);
        }
        const { tags } = await world.ada.listTags();
        const ours = tags.filter(({ name }) => name.startsWith(world.prefix));
        const best = [...expected].filter(([, people]) => people.size >= limits.trending.people);
        expect(new Set(ours.map(({ name }) => name))).toEqual(new Set(best.map(([name]) => name)));
        await forgetAll(tandem);
      }),
      { numRuns: engine === "sqlite" ? 15 : 6 },
    );
  });

  test("are read along their indexes", async () => {
    await using tandem = await startTandem(engine);
    await fill(tandem);
    const { read } = tandem.storage;
    const plan = async (query: RawBuilder<unknown>) => {
      const explain = read.engine.rowLocks ? sql`explain` : sql`explain query plan`;
      return JSON.stringify((await sql`${explain} ${query}`.execute(read)).rows);
    };
    expect(await plan(trending(read))).toContain("tags_by_people");
    const suggested = await plan(beginningWith(read, "tag77"));
    for (const index of ["tags_by_people", "tags_by_name"]) expect(suggested).toContain(index);
    expect(suggested).not.toMatch(/Seq Scan|SCAN tags(?! USING)/);
    const counting = await plan(
      usesAfter({ tag: "tag7", user_id: 1, post_id: 1, comment_id: 0, name: "" }, 2e12),
    );
    expect(counting).toMatch(/tag_uses_key|USING PRIMARY KEY|tag_uses_pkey/);
  });
});

const actors = ["ada", "bob", "eve", "key", "bot", "botSession"] as const;
type ActorName = (typeof actors)[number];
/** The account that an actor writes as. */
const accounts = { ada: "ada", bob: "bob", eve: "eve", key: "ada", bot: "bot", botSession: "bot" } as const;
const byAi = (actor: ActorName) => actor === "key" || actor === "bot" || actor === "botSession";

const step = fc.record({
  what: fc.constantFrom("post", "comment", "edit", "edit", "delete", "like"),
  actor: fc.constantFrom(...actors),
  tags: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }),
  provenance: fc.option(fc.constantFrom("human", "ai_assisted", "ai_generated"), { nil: undefined }),
  nth: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Text {
  id: number;
  isPost: boolean;
  account: (typeof accounts)[ActorName];
  isAi: boolean;
  tags: string[];
}

async function newWorld(tandem: Tandem) {
  const [ada, bob, eve] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
  const bot = await tandem.as.agent(ada);
  const callers: Record<ActorName, Caller> = {
    ...{ ada, bob, eve, bot },
    key: await tandem.as.key(undefined, ada),
    botSession: await tandem.as.agentSession(ada, bot.agent.id),
  };
  const { post } = await bob.createPost({ title: "Without" });
  // Of its own in every run.
  const prefix = `t${post.id}_`;
  return { ada, callers, prefix, postId: post.id, texts: [] as Text[] };
}
type World = Awaited<ReturnType<typeof newWorld>>;

const tagNames = ({ prefix }: World) => [0, 1, 2, 3].map((i) => `${prefix}${i}`);

async function perform(world: World, { what, actor, tags: numbers, provenance, nth }: Step): Promise<void> {
  const caller = world.callers[actor];
  const account = accounts[actor];
  const tags = numbers.map((i) => `${world.prefix}${i}`);
  const body = `Text ${tags.map((tag) => `#${tag}`).join(" ")}`;
  const isAi = byAi(actor);
  const own = world.texts.filter((text) => text.account === account);
  const text = own[nth % own.length];
  if (what === "post") {
    const { post } = await caller.createPost({ title: "Post", body, ...(provenance && { provenance }) });
    const marked = isAi || (provenance !== undefined && provenance !== "human");
    world.texts.push({ id: post.id, isPost: true, account, isAi: marked, tags });
  } else if (what === "comment") {
    const { comment } = await caller.createComment({ id: world.postId, body });
    world.texts.push({ id: comment.id, isPost: false, account, isAi, tags });
  } else if (what === "edit" && text) {
    if (text.isPost) await caller.editPost({ id: text.id, body });
    else await caller.editComment({ id: text.id, body });
    Object.assign(text, { tags, isAi: text.isAi || isAi });
  } else if (what === "delete" && text) {
    if (text.isPost) await caller.deletePost({ id: text.id });
    else await caller.deleteComment({ id: text.id });
    world.texts.splice(world.texts.indexOf(text), 1);
  } else if (what === "like" && world.texts.length > 0) {
    const { id, isPost } = world.texts[nth % world.texts.length] as Text;
    await (isPost ? caller.likePost({ id }) : caller.likeComment({ id }));
  }
}

function peopleByTag({ texts }: World): Map<string, Set<string>> {
  const people = new Map<string, Set<string>>();
  for (const { account, isAi, tags } of texts)
    if (!isAi) for (const tag of tags) people.set(tag, (people.get(tag) ?? new Set()).add(account));
  return people;
}

async function forgetAll({ storage }: Tandem): Promise<void> {
  await storage.write(async (tx) => {
    await tx.deleteFrom("tag_uses").execute();
    await tx.deleteFrom("tags").execute();
  });
}

/** 100,000 hashtags that people used lately. */
async function fill({ storage }: Tandem): Promise<void> {
  const into = (rows: number, table: string, columns: string, values: string) =>
    storage.write((tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})
        insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(values)} from n`.execute(tx),
    );
  await into(100_000, "tags", "tag, name, people", "'tag' || i, 'Tag' || i, 2 + i % 50");
  const name = "'other' || i";
  await into(
    5000,
    "users",
    "id, username, username_key, email, email_key, role, unread, read_upto, created_at",
    `1000 + i, ${name}, ${name}, ${name}, ${name}, 'user', 0, 0, i`,
  );
  await into(
    50_000,
    "tag_uses",
    "tag, user_id, post_id, comment_id, name, used_at",
    "'tag' || i, 1001 + i % 5000, i, 0, 'Tag' || i, 2000000000000 + i",
  );
  await storage.write((tx) => sql`analyze`.execute(tx));
}
