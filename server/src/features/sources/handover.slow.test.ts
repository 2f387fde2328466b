import { engines, manyConnections, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removePosts } from "../posts/remove-posts.ts";
import { type IngestSource, ingest } from "./ingest.ts";
import { removeBatch } from "./withdraw.ts";

const hosts = ["one.example", "two.example", "three.example"];
const source = fc.nat(hosts.length - 1);
/** An item by its home server; every server can show any item. */
const item = fc.record({ of: source, nth: fc.nat(2) });

const visit = fc.record({
  kind: fc.constant("visit" as const),
  from: source,
  shown: fc.array(fc.record({ item, page: fc.nat(1), words: fc.nat(1) }), { maxLength: 5 }),
  gone: fc.array(item, { maxLength: 2 }),
  complete: fc.boolean(),
});
const removal = fc.record({
  kind: fc.constant("removal" as const),
  from: source,
  batch: fc.integer({ min: 1, max: 3 }),
  maxBatches: fc.integer({ min: 1, max: 9 }),
});
const deletion = fc.record({ kind: fc.constant("deletion" as const), nth: fc.nat(5) });
type Step = typeof visit | typeof removal extends fc.Arbitrary<infer T> ? T : never;

/** The sources of one run. Their item keys contain the run's number, so that runs don't interfere. */
class World {
  readonly #storage: Tandem["storage"];
  readonly #run: number;
  readonly #sources: IngestSource[] = [];

  constructor({ storage }: Tandem, run: number) {
    [this.#storage, this.#run] = [storage, run];
  }

  async begin(): Promise<void> {
    for (const host of hosts) this.#sources.push(await this.#add(`https://${this.#run}-${host}/`));
  }

  async #add(url: string): Promise<IngestSource> {
    const facts = { platform: "lemmy", name: "x", community: null, url } as const;
    const added = this.#storage.write((tx) =>
      tx.insertInto("sources").values(facts).returning("id").executeTakeFirstOrThrow(),
    );
    return { ...facts, id: (await added).id };
  }

  #key({ of, nth }: { of: number; nth: number }): string {
    return `https://${this.#run}-${hosts[of]}/post/${nth}`;
  }

  async perform(step: Step): Promise<void> {
    const source = this.#sources[step.from] as IngestSource;
    if (step.kind === "visit") return this.#visit(source, step);
    let done = false;
    for (let i = 0; !done && i < step.maxBatches; i++)
      done = await this.#storage.write((tx) => removeBatch(tx, source, step.batch));
    if (!done) return;
    await this.#storage.write((tx) => tx.deleteFrom("sources").where("id", "=", source.id).execute());
    this.#sources[step.from] = await this.#add(String(source.url));
  }

  async #visit(source: IngestSource, { shown, gone, complete }: Step & { kind: "visit" }): Promise<void> {
    const items = shown.map(({ item, page, words }) => {
      const link = `https://example.org/${this.#run}/${page}`;
      const postedAt = 1000 * (1 + item.of * 3 + item.nth);
      return {
        ...empty,
        ...{ key: this.#key(item), permalink: link, link, mediaUrl: link },
        ...{ title: `Words ${words}`, postedAt },
      };
    });
    const imported = {
      ...{ items, complete, unchanged: false, askAgainAfter: null },
      gone: gone.map((item) => this.#key(item)),
    };
    await this.#storage.write((tx) => ingest(tx, source, imported, Date.UTC(2026, 0, 1)));
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

  /** Checks that every item has its post, every story one head, and every creator the right post count. */
  async expectConsistent(): Promise<void> {
    const posts = await this.#posts();
    for (const story of new Set(posts.map((post) => post.story))) {
      const [head, ...others] = posts.filter((post) => post.story === story);
      expect(head).toMatchObject({ story_rest: 0, story_count: 1 + others.length });
      for (const post of others) {
        const story_rest = post.source_id === head?.source_id ? 0 : 1;
        expect(post).toMatchObject({ story_rest, story_count: 1 });
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
  ...{ author: "ada", authorAvatarUrl: null, body: null, mediaType: "link" as const },
  ...{ audioUrl: null, thumbnailUrl: null },
  ...{
    width: null,
    height: null,
    durationSeconds: null,
    alt: null,
    pictures: [],
    contentWarning: null,
    sensitive: false,
  },
  ...{ community: null, score: null, commentCount: null, thread: null, provenance: null },
};

describe.each(engines)("items shown by several sources on %s", (engine) => {
  let tandem: Tandem;
  let run = 0;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: manyConnections });
  });
  afterAll(() => tandem.stop());

  async function begin(): Promise<World> {
    run += 1;
    const world = new World(tandem, run);
    await world.begin();
    return world;
  }

  test("have one post each after any sequence of visits, removals and deletions", async () => {
    const step = fc.oneof({ weight: 6, arbitrary: visit }, removal, deletion);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const world = await begin();
        for (const step of steps) {
          await (step.kind === "deletion" ? world.remove(step.nth) : world.perform(step));
          await world.expectConsistent();
        }
      }),
      { numRuns: 12 },
    );
  });

  test("have one post each after concurrent visits and removals, without deadlocks", async () => {
    const step = fc.oneof({ weight: 6, arbitrary: visit }, removal);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const world = await begin();
        // Each source has only one visit at a time.
        await Promise.all(
          hosts.map(async (_, n) => {
            for (const step of steps.filter(({ from }) => from === n)) await world.perform(step);
          }),
        );
        await world.expectConsistent();
      }),
      { numRuns: 12 },
    );
    if (engine === "sqlite") return;
    const { rows } = await sql<{ deadlocks: string }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(tandem.storage.read);
    expect(Number(rows[0]?.deadlocks)).toBe(0);
  });
});
