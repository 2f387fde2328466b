import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removePosts } from "../posts/remove-posts.ts";
import { type Taking, takeIn } from "./ingest.ts";
import { removeSome } from "./withdraw.ts";

const hosts = ["one.example", "two.example", "three.example"];
const source = fc.nat(hosts.length - 1);
/** By whose it is: all servers show all items. */
const item = fc.record({ of: source, nth: fc.nat(2) });

const visit = fc.record({
  does: fc.constant("visit" as const),
  from: source,
  shown: fc.array(fc.record({ item, page: fc.nat(1), words: fc.nat(1) }), { maxLength: 5 }),
  gone: fc.array(item, { maxLength: 2 }),
  complete: fc.boolean(),
});
const removal = fc.record({
  does: fc.constant("removal" as const),
  from: source,
  batch: fc.integer({ min: 1, max: 3 }),
  pieces: fc.integer({ min: 1, max: 9 }),
});
const deletion = fc.record({ does: fc.constant("deletion" as const), nth: fc.nat(5) });
type Step = typeof visit | typeof removal extends fc.Arbitrary<infer T> ? T : never;

/** What befalls the sources of one run, whose items are nobody else's. */
class World {
  readonly #storage: Tandem["storage"];
  readonly #run: number;
  readonly #sources: Taking[] = [];

  constructor({ storage }: Tandem, run: number) {
    [this.#storage, this.#run] = [storage, run];
  }

  async begin(): Promise<void> {
    for (const host of hosts) this.#sources.push(await this.#add(`https://${this.#run}-${host}/`));
  }

  async #add(url: string): Promise<Taking> {
    const facts = { platform: "lemmy", name: "x", community: null, url } as const;
    const added = this.#storage.write((tx) =>
      tx.insertInto("sources").values(facts).returning("id").executeTakeFirstOrThrow(),
    );
    return { ...facts, id: (await added).id };
  }

  #key({ of, nth }: { of: number; nth: number }): string {
    return `https://${this.#run}-${hosts[of]}/post/${nth}`;
  }

  async take(step: Step): Promise<void> {
    const source = this.#sources[step.from] as Taking;
    if (step.does === "visit") return this.#visit(source, step);
    let done = false;
    for (let i = 0; !done && i < step.pieces; i++)
      done = await this.#storage.write((tx) => removeSome(tx, source, step.batch));
    if (!done) return;
    await this.#storage.write((tx) => tx.deleteFrom("sources").where("id", "=", source.id).execute());
    this.#sources[step.from] = await this.#add(String(source.url));
  }

  async #visit(source: Taking, { shown, gone, complete }: Step & { does: "visit" }): Promise<void> {
    const items = shown.map(({ item, page, words }) => {
      const link = `https://example.org/${this.#run}/${page}`;
      const postedAt = 1000 * (1 + item.of * 3 + item.nth);
      return {
        ...empty,
        ...{ key: this.#key(item), permalink: link, link, mediaUrl: link },
        ...{ title: `Words ${words}`, postedAt },
      };
    });
    const gathered = {
      ...{ items, complete, unchanged: false, askAgainAfter: null },
      gone: gone.map((one) => this.#key(one)),
    };
    await this.#storage.write((tx) => takeIn(tx, source, gathered, Date.UTC(2026, 0, 1)));
  }

  async remove(nth: number): Promise<void> {
    const post = (await this.#posts())[nth];
    if (post) await this.#storage.write((tx) => removePosts(tx, sql`${post.id}`));
  }

  #posts() {
    return this.#storage.read
      .selectFrom("posts")
      .select(["id", "source_id", "story", "story_rest", "story_count"])
      .where("fragment", "like", `%https://example.org/${this.#run}/%`)
      .orderBy("id")
      .execute();
  }

  /** Every item has the post that it became, every story is told once, and creators count what is there. */
  async holds(): Promise<void> {
    const posts = await this.#posts();
    for (const story of new Set(posts.map((post) => post.story))) {
      const [first, ...others] = posts.filter((post) => post.story === story);
      expect(first).toMatchObject({ story_rest: 0, story_count: 1 + others.length });
      for (const one of others) {
        const story_rest = one.source_id === first?.source_id ? 0 : 1;
        expect(one).toMatchObject({ story_rest, story_count: 1 });
      }
    }
    const { read } = this.#storage;
    const mine = read.selectFrom("gathered").select("post_id").where("key", "like", `https://${this.#run}-%`);
    const items = await mine.where("post_id", "is not", null).orderBy("post_id").execute();
    expect(items.map(({ post_id }) => post_id)).toEqual(posts.map(({ id }) => id));
    const { rows } = await sql`select id from creators
      where post_count <> (select count(*) from posts where creator_id = creators.id)`.execute(read);
    expect(rows).toEqual([]);
  }
}

const empty = {
  ...{ author: "ada", authorAvatarUrl: null, body: null, mediaType: "link" as const, thumbnailUrl: null },
  ...{ width: null, height: null, durationSeconds: null, alt: null },
  ...{ community: null, score: null },
};

describe.each(engines)("items that go from source to source on %s", (engine) => {
  let tandem: Tandem;
  let run = 0;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  async function begin(): Promise<World> {
    run += 1;
    const world = new World(tandem, run);
    await world.begin();
    return world;
  }

  test("have each a post of their own, whatever becomes of sources and posts", async () => {
    const step = fc.oneof({ weight: 6, arbitrary: visit }, removal, deletion);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const world = await begin();
        for (const step of steps) {
          await (step.does === "deletion" ? world.remove(step.nth) : world.take(step));
          await world.holds();
        }
      }),
      { numRuns: 50 },
    );
  });

  test("have the same while all of that happens at once, and nobody waits in a ring", async () => {
    const step = fc.oneof({ weight: 6, arbitrary: visit }, removal);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const world = await begin();
        // A source is visited by one at a time.
        await Promise.all(
          hosts.map(async (_, n) => {
            for (const step of steps.filter(({ from }) => from === n)) await world.take(step);
          }),
        );
        await world.holds();
      }),
      { numRuns: 50 },
    );
    if (engine === "sqlite") return;
    const { rows } = await sql<{ deadlocks: string }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(tandem.storage.read);
    expect(Number(rows[0]?.deadlocks)).toBe(0);
  });
});
