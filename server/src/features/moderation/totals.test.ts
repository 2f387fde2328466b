import type { OperationName } from "@tandem/contract/operations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const RUNS = Number(process.env.PROPERTY_RUNS ?? 6);
const MANY = 3;

/** What people and moderators can do to the posts and comments. */
const toPosts = ["removePost", "restorePost", "likePost", "unlikePost", "viewPost", "deletePost"] as const;
const toComments = ["removeComment", "restoreComment", "deleteComment", "likeComment"] as const;
const reason = "x";
const texts: Partial<Record<OperationName, object>> = {
  removePost: { reason },
  removeComment: { reason },
  createComment: { body: "And so" },
};
const step = fc.record({
  name: fc.constantFrom<OperationName>(...toPosts, ...toComments, "createComment"),
  which: fc.nat(MANY - 1),
});

describe.each(engines)("random removals and restorations on %s", (engine) => {
  let tandem: Tandem;
  let admin: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  test("keep counts equal to the visible rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const person = await tandem.as.human();
        const posts = await Promise.all(
          Array.from({ length: MANY }, async () => (await person.createPost({ title: "One" })).post.id),
        );
        const comments = await Promise.all(
          posts.map(async (id) => (await person.createComment({ id, body: "So" })).comment.id),
        );
        for (const { name, which } of steps) {
          const ids: readonly number[] = (toComments as readonly string[]).includes(name) ? comments : posts;
          const caller = /^re(move|store)/.test(name) ? admin : person;
          const { status } = await caller.call(name, { id: ids[which], ...texts[name] });
          expect([200, 404]).toContain(status);
        }
        expect(await counted(tandem, person.user.id)).toEqual(await counts(tandem, person.user.id));
        // Restoring everything restores the counts too.
        for (const id of posts) await admin.call("restorePost", { id });
        expect(await counted(tandem, person.user.id)).toEqual(await counts(tandem, person.user.id));
      }),
      { numRuns: RUNS },
    );
  });
});

type Counts = Record<string, number>;

/** The stored totals of the creator. */
async function counts({ storage }: Tandem, userId: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select post_count as posts, like_count as likes, comment_count as comments, view_count as views
    from creators where user_id = ${userId}`.execute(storage.read);
  return asNumbers(rows[0]);
}

/** The totals computed from all rows. */
async function counted({ storage }: Tandem, userId: number): Promise<Counts> {
  const posts = sql`(select p.id, p.view_count from posts p join creators c on c.id = p.creator_id where c.user_id = ${userId})`;
  const { rows } = await sql<Counts>`
    select (select count(*) from ${posts} as a) as posts,
      (select count(*) from post_likes l join ${posts} as a on a.id = l.post_id) as likes,
      (select count(*) from comments m join ${posts} as a on a.id = m.post_id where m.deleted = 0) as comments,
      (select coalesce(sum(view_count), 0) from ${posts} as a) as views`.execute(storage.read);
  return asNumbers(rows[0]);
}

function asNumbers(row: Counts = {}): Counts {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}
