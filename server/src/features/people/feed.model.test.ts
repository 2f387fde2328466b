import type { Caller } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Compares the feeds of a few people and their agents, under any blocks, with a naive model of the rule. */

const people = ["ada", "bob", "eve"] as const;
const agents = { robot: "ada", droid: "bob", golem: "bob" } as const;
const names = [...people, "robot", "droid", "golem"] as const;
type Name = (typeof names)[number];

const block = fc
  .tuple(fc.constantFrom(...people), fc.constantFrom(...names))
  .filter(([one, other]) => one !== other && operatorOf(other) !== one);
const filters = [
  {},
  { sort: "hot" },
  { q: "tea" },
  { q: "tea", sort: "hot" },
  { provenance: "human" },
  { platform: "native" },
  { saved: 1 },
  ...names.map((author) => ({ author })),
] as const;

function operatorOf(name: Name): Name | undefined {
  return (agents as Partial<Record<Name, Name>>)[name];
}

/** An account and its operator. */
function withOperator(name: Name): Name[] {
  const operator = operatorOf(name);
  return operator ? [name, operator] : [name];
}

describe.each(engines)("feeds under blocks on %s", (engine) => {
  let tandem: Tandem;
  let who: Record<Name, Caller>;
  let posts: { id: number; author: Name }[];
  beforeAll(async () => {
    tandem = await startTandem(engine);
    const callers: Partial<Record<Name, Caller>> = {};
    for (const name of people) callers[name] = await tandem.as.human(name);
    for (const [name, operator] of Object.entries(agents))
      callers[name as Name] = await tandem.as.agent(callers[operator], name);
    who = callers as Record<Name, Caller>;
    posts = [];
    for (const author of [...names, ...names])
      posts.push({ id: (await who[author].createPost({ title: "Tea" })).post.id, author });
    for (const reader of names) for (const { id } of posts) await who[reader].savePost({ id });
  });
  afterAll(() => tandem.stop());

  test("contain everything except blocked accounts' posts, on every page", async () => {
    const scenarios = fc.record({
      blocks: fc.array(block, { maxLength: 4 }),
      ended: fc.nat(3),
      reader: fc.constantFrom(...names),
      filter: fc.constantFrom(...filters),
      limit: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ blocks, ended, reader, filter, limit }) => {
        await tandem.storage.write((tx) => tx.deleteFrom("blocks").execute());
        for (const [one, other] of blocks) await who[one].block({ username: other });
        const [gone] = blocks.slice(ended);
        if (gone) await who[gone[0]].unblock({ username: gone[1] });
        const standing = blocks.filter((one) => !gone || one.join() !== gone.join());
        const expected = posts
          .filter(({ author }) => !isBlocked(standing, reader, author) && admits(filter, author))
          .map(({ id }) => id);
        const seen = [];
        for await (const { id } of who[reader].pages.listPosts({ ...filter, limit })) seen.push(id);
        expect(seen.toSorted((a, b) => a - b)).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });
});

function isBlocked(blocks: (readonly [Name, Name])[], one: Name, other: Name): boolean {
  return blocks.some(
    ([by, of]) =>
      (withOperator(one).includes(by) && withOperator(other).includes(of)) ||
      (withOperator(other).includes(by) && withOperator(one).includes(of)),
  );
}

function admits(filter: (typeof filters)[number], author: Name): boolean {
  if ("provenance" in filter) return operatorOf(author) === undefined;
  return !("author" in filter) || filter.author === author;
}
