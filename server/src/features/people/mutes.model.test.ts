import type { Caller } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Compares feeds under any mutes with a naive model of the rule. */

const people = ["ada", "bob", "eve"] as const;
const agents = { robot: "ada", golem: "bob" } as const;
const names = [...people, "robot", "golem"] as const;
type Name = (typeof names)[number];

const words = ["tea", "Milk", "sugar"] as const;
const titles = ["Tea", "A cup of téa", "teas", "milk, #sugar", "SUGAR", "Nothing", "milk and tea"] as const;
/** Which mutes a title is hidden by. */
const hiders: Record<(typeof titles)[number], readonly string[]> = {
  Tea: ["tea"],
  "A cup of téa": ["tea"],
  teas: [],
  "milk, #sugar": ["Milk", "sugar", "#Sugar"],
  SUGAR: ["sugar"],
  Nothing: [],
  "milk and tea": ["Milk", "tea"],
};

const mute = fc.oneof(
  fc.constantFrom(...names).map((author) => ({ platform: "native" as const, author })),
  fc.constantFrom(...words).map((word) => ({ word })),
  fc.constant({ tag: "#Sugar" }),
);
type Muted = { author: Name } | { word: string } | { tag: string };

const filters = [
  {},
  { sort: "hot" },
  { q: "a" },
  { q: "a", sort: "hot" },
  { platform: "native" },
  { followed: 1 },
  { since: "2020-01-01" },
  { saved: 1 },
  { author: "bob" },
] as const;

const operatorOf = (name: Name) => (agents as Partial<Record<Name, Name>>)[name];

describe.each(engines)("feeds under mutes on %s", (engine) => {
  let tandem: Tandem;
  let who: Record<Name, Caller>;
  let posts: { id: number; author: Name; title: (typeof titles)[number] }[];
  beforeAll(async () => {
    tandem = await startTandem(engine);
    const callers: Partial<Record<Name, Caller>> = {};
    for (const name of people) callers[name] = await tandem.as.human(name);
    for (const [name, operator] of Object.entries(agents))
      callers[name as Name] = await tandem.as.agent(callers[operator], name);
    who = callers as Record<Name, Caller>;
    posts = [];
    for (const title of titles)
      for (const author of names)
        posts.push({ id: (await who[author].createPost({ title, body: "a" })).post.id, author, title });
    for (const reader of names) {
      for (const { id } of posts.slice(0, 9)) await who[reader].savePost({ id });
      for (const author of names)
        if (author !== reader) await who[reader].follow({ platform: "native", author });
    }
  });
  afterAll(() => tandem.stop());

  /** Whether the reader sees a post despite these mutes. */
  function isShown(
    muted: readonly Muted[],
    reader: Name,
    { author, title }: (typeof posts)[number],
  ): boolean {
    if (author === reader) return true;
    return !muted.some((one) => {
      if ("author" in one) return one.author === author || one.author === operatorOf(author);
      return hiders[title].includes("word" in one ? one.word : one.tag);
    });
  }

  test("contain everything except muted posts, each once, on pages of any size", async () => {
    const scenarios = fc.record({
      mutes: fc.array(mute, { maxLength: 4 }),
      ended: fc.nat(3),
      reader: fc.constantFrom(...names),
      filter: fc.constantFrom(...filters),
      limit: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ mutes, ended, reader, filter, limit }) => {
        await tandem.storage.write(async (tx) => {
          await tx.deleteFrom("mutes").execute();
          await tx.updateTable("users").set({ mutes_change_at: null }).execute();
        });
        const own = (one: (typeof mutes)[number]) => "author" in one && one.author === reader;
        const made = mutes.filter((one) => !own(one));
        for (const one of made) await who[reader].mute(one);
        const gone = made[ended];
        if (gone) await who[reader].unmute(gone);
        const left = made.filter((one) => !gone || JSON.stringify(one) !== JSON.stringify(gone)) as Muted[];
        const isChosen = "saved" in filter || "author" in filter;
        const expected = posts
          .filter((post, i) => {
            if ("saved" in filter && i >= 9) return false;
            if ("author" in filter && post.author !== filter.author) return false;
            if ("followed" in filter && post.author === reader) return false;
            return isChosen || isShown(left, reader, post);
          })
          .map(({ id }) => id);
        const seen = [];
        for await (const { id } of who[reader].pages.listPosts({ ...filter, limit })) seen.push(id);
        expect(seen.toSorted((a, b) => a - b)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});
