import { checkReceipt } from "@tandem/client/check-receipt";
import type { DeletionEntry, LogEntry, PublishedEntry } from "@tandem/contract/log/entry";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Db } from "../../storage/storage.ts";
import { newFirstEntry, selectFirstIds } from "./first-entries.ts";
import { integrate } from "./integrate.ts";

describe.each(engines)("a new post as its own pending entry on %s", (engine) => {
  const once = testOnce(engine);
  once("has the receipt that its leaf keeps, and no row of the log until then", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const texts = { title: 'A "title" 🧵', body: "ö\n\u2028", url: "https://example.org/?a=1#b" };
    const posts = [
      (await person.createPost({ title: "A title" })).post,
      (await person.createPost({ ...texts, provenance: "ai_assisted" })).post,
      (await agent.createPost(texts)).post,
    ];
    expect(await waiting(tandem)).toEqual([]);
    const before = await Promise.all(posts.map(({ id }) => receiptOf(tandem, id)));
    expect(before.map(({ proof }) => proof)).toEqual([null, null, null]);
    expect(before.map(({ operator }) => operator)).toEqual([null, null, person.user.username]);
    await integrate(tandem.services);
    for (const [i, { id }] of posts.entries()) {
      expect(await checked(tandem, id)).toMatchObject({
        ok: true,
        results: { inclusion: "passed", text: "passed" },
      });
      expect(await receiptOf(tandem, id)).toMatchObject({ entry: before[i]?.entry, salt: before[i]?.salt });
    }
    const added = await leaves(tandem);
    // Nothing is added twice.
    await integrate(tandem.services);
    expect(await leaves(tandem)).toEqual(added);
  });

  test("an edit before its leaf: both versions are leaves in order, and receipts from before it stay true", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const key = await tandem.as.key(undefined, person);
    const { product } = await person.createProduct({ title: "Teapot", url: "https://example.org/teapot" });
    const edits: ((id: number) => Promise<unknown>)[] = [
      (id) => person.editPost({ id, title: "Edited" }),
      (id) => key.editPost({ id, body: "By a key" }),
      (id) => key.attachProduct({ id, productId: product.id }),
    ];
    for (const edit of edits) {
      const { post } = await person.createPost({ title: "As it was" });
      const first = await receiptOf(tandem, post.id);
      await edit(post.id);
      expect((await receiptOf(tandem, post.id, 1)).entry).toBe(first.entry);
      await integrate(tandem.services);
      expect(await historyOf(tandem, post.id)).toEqual([1, 2]);
      expect(await receiptOf(tandem, post.id, 1)).toMatchObject({
        entry: first.entry,
        salt: first.salt,
        proof: { index: expect.any(Number) },
      });
      expect(await checked(tandem, post.id)).toMatchObject({ ok: true, entry: { version: 2 } });
      // The salt is in one place, so that it is forgotten with the receipt.
      await person.clearPostVersions({ id: post.id });
      expect((await person.call("readPostReceipt", { id: post.id, version: 1 })).status).toBe(404);
      expect(await kept(tandem, first.salt)).toBe(0);
    }
  });

  test("an edit after its leaf adds the second version alone", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "As it was" });
    await integrate(tandem.services);
    await person.editPost({ id: post.id, title: "Edited" });
    expect(await waiting(tandem)).toEqual([`post ${post.id} 2`]);
    await integrate(tandem.services);
    expect(await historyOf(tandem, post.id)).toEqual([1, 2]);
  });

  if (runsOnceTests(engine))
    test("a deletion before its leaf: the leaf is what receipts promised, then the deletion, and no salt is left", async () => {
      await using tandem = await startTandem(engine);
      const operator = await tandem.as.human();
      const agent = await tandem.as.agent(operator);
      const [own, edited, byAgent] = [
        (await operator.createPost({ title: "Deleted" })).post,
        (await operator.createPost({ title: "Edited and deleted" })).post,
        (await agent.createPost({ title: "Deleted with its author" })).post,
      ];
      const promised = await Promise.all([own, edited, byAgent].map(({ id }) => receiptOf(tandem, id)));
      await operator.editPost({ id: edited.id, title: "Edited" });
      for (const { id } of [own, edited]) await operator.deletePost({ id });
      await operator.deleteAgent({ id: agent.agent.id });
      await integrate(tandem.services);
      const entries = await leaves(tandem);
      for (const { entry } of promised) expect(entries.filter((leaf) => leaf === entry)).toHaveLength(1);
      expect(await historyOf(tandem, own.id)).toEqual([1, "deletion"]);
      expect(await historyOf(tandem, edited.id)).toEqual([1, 2, "deletion"]);
      expect(await historyOf(tandem, byAgent.id)).toEqual([1, "deletion"]);
      for (const { salt } of promised) expect(await kept(tandem, salt)).toBe(0);
      expect(await waiting(tandem)).toEqual([]);
    });

  once("what moderators remove is logged nevertheless; dry runs aren't", async () => {
    await using tandem = await startTandem(engine);
    const [admin, author] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const { post } = await author.createPost({ title: "Removed" });
    await author.createPost({ title: "Never there" }, { dryRun: true });
    const promised = await receiptOf(tandem, post.id);
    await admin.removePost({ id: post.id, reason: "Advertising" });
    await integrate(tandem.services);
    expect((await leaves(tandem)).slice(1)).toEqual([promised.entry]);
  });

  once("pictures have a row, because their files' hashes aren't in the post", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const image = new Blob([Uint8Array.from(await drawPicture())]);
    const { post } = await person.createPost({ title: "A picture", image, alt: "Colors" });
    expect(await waiting(tandem)).toEqual([`post ${post.id} 1`]);
    await integrate(tandem.services);
    expect(await historyOf(tandem, post.id)).toEqual([1]);
  });

  test("more posts than fit in a batch, among many that aren't logged: each is added once, and those done aren't read again", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "The first" });
    await tandem.storage.write((tx) => copies(tx, post.id, 1200, "first_entry"));
    await tandem.storage.write((tx) => copies(tx, post.id, 300, "null"));
    await integrate(tandem.services);
    const ids = (await leaves(tandem)).map((leaf) => JSON.parse(leaf).id).filter(Boolean);
    expect(ids).toHaveLength(1201);
    expect(new Set(ids).size).toBe(1201);
    const posts_done = await doneUpTo(tandem, person, post.id + 1500);
    await tandem.storage.write((tx) => sql`analyze`.execute(tx));
    expect(await planOf(tandem.storage.read, posts_done)).toMatch(
      engine === "sqlite"
        ? /^SEARCH posts USING INTEGER PRIMARY KEY \(rowid>\?\)$/
        : /Index (Only )?Scan using posts_pkey on posts/,
    );
  });

  test("edits and deletions while other processes add to the tree: every version once, in order", async () => {
    await using tandem = await startTandem(engine);
    const people = await Promise.all(Array.from({ length: 4 }, () => tandem.as.human()));
    const expected = new Map<number, (number | "deletion")[]>();
    let isWriting = true;
    const integrating = [1, 2].map(async () => {
      while (isWriting) await integrate(tandem.services);
    });
    const write = async (person: (typeof people)[number]) => {
      for (let i = 0; i < 16; i += 1) {
        const { post } = await person.createPost({ title: `Post ${i}` });
        const history: (number | "deletion")[] = [1];
        for (let version = 2; version <= 1 + (i % 3); version += 1) {
          await person.editPost({ id: post.id, title: `Post ${i}, version ${version}` });
          history.push(version);
        }
        if (i % 4 === 3) {
          await person.deletePost({ id: post.id });
          history.push("deletion");
        }
        expected.set(post.id, history);
      }
    };
    await Promise.all(people.map(write));
    isWriting = false;
    await Promise.all(integrating);
    await integrate(tandem.services);
    const found = new Map<number, (number | "deletion")[]>();
    for (const id of expected.keys()) found.set(id, await historyOf(tandem, id));
    expect(found).toEqual(expected);
  });
});

describe.each(engines.filter((engine) => engine === "postgres"))("on %s", (engine) => {
  test("a post that appears below others that were added before is added, once", async () => {
    await using tandem = await startTandem(engine);
    const [slow, fast] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await fast.createPost({ title: "Copied" });
    await integrate(tandem.services);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let late: Promise<void> | undefined;
    const id = await new Promise<number>((resolve) => {
      late = tandem.storage.write(async (tx) => {
        await sql`select id from users where id = ${slow.user.id} for update`.execute(tx);
        resolve(await copies(tx, post.id, 1, "first_entry"));
        await released;
      });
    });
    try {
      for (let i = 0; i < 4; i += 1) {
        const after = await fast.createPost({ title: `Faster ${i}` });
        expect(after.post.id).toBeGreaterThan(id);
        await integrate(tandem.services);
        expect(await historyOf(tandem, after.post.id)).toEqual([1]);
        expect((await head(tandem)).posts_done).toBeLessThan(id);
      }
    } finally {
      release();
      await late;
    }
    await integrate(tandem.services);
    expect(await historyOf(tandem, id)).toEqual([1]);
    await doneUpTo(tandem, fast, id);
    expect(await historyOf(tandem, id)).toEqual([1]);
  });

  test("positions of another server, from which the database was copied, hold nothing up", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    await integrate(tandem.services);
    await tandem.storage.write((tx) => tx.updateTable("log_head").set({ next_position: 1e15 }).execute());
    await doneUpTo(tandem, person, 1);
  });
});

/** Publishes and adds to the tree until the posts up to an id are done. On PostgreSQL, other tests' transactions can delay it. */
function doneUpTo(tandem: Tandem, person: Person, id: number): Promise<number> {
  return eventually(async () => {
    await person.createPost({ title: "Another" });
    await integrate(tandem.services);
    const { posts_done } = await head(tandem);
    expect(posts_done).toBeGreaterThanOrEqual(id);
    return posts_done;
  });
}

/** Inserts copies of a post, by SQL for the value of `first_entry`. Returns the last id. */
async function copies(
  tx: Db,
  id: number,
  count: number,
  firstEntry: "first_entry" | "null",
): Promise<number> {
  const columns = sql.raw(
    `creator_id, platform, media_type, provenance, basis, origin_score, like_count, comment_count,
      view_count, click_count, hot_rank, posted_at, fragment`,
  );
  const { rows } = await sql<{ id: number }>`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < cast(${count} as integer))
    insert into posts (${columns}, first_entry)
    select ${columns}, ${sql.raw(firstEntry)} from posts, numbers where id = ${id} returning id`.execute(tx);
  return Math.max(...rows.map((row) => row.id));
}

async function planOf(db: Db, after: number): Promise<string> {
  const explain = sql.raw(db.engine.name === "sqlite" ? "explain query plan" : "explain");
  const { rows } = await sql<object>`${explain} ${selectFirstIds(after, 500)}`.execute(db);
  return rows.map((row) => ("detail" in row ? row.detail : Object.values(row)[0])).join("\n");
}

async function receiptOf(tandem: Tandem, id: number, version?: number) {
  const { receipt } = await tandem.as.anonymous().readPostReceipt({ id, ...(version && { version }) });
  return receipt;
}

function checked({ baseUrl }: Tandem, postId: number) {
  return checkReceipt({ baseUrl, postId, commentId: null });
}

async function leaves({ storage }: Tandem): Promise<string[]> {
  const rows = await storage.read.selectFrom("log_entries").select("entry").orderBy("position").execute();
  return rows.map(({ entry }) => entry);
}

/** What the tree says of a post, in order. */
async function historyOf(tandem: Tandem, id: number): Promise<(number | "deletion")[]> {
  const entries = (await leaves(tandem)).map((leaf) => JSON.parse(leaf) as LogEntry);
  const own = entries.filter(
    (entry): entry is PublishedEntry | DeletionEntry =>
      (entry.kind === "post" || (entry.kind === "deletion" && entry.of === "post")) && entry.id === id,
  );
  return own.map((entry) => (entry.kind === "deletion" ? "deletion" : entry.version));
}

/** The rows of posts' entries that wait. */
async function waiting({ storage }: Tandem): Promise<string[]> {
  const rows = await storage.read
    .selectFrom("log_pending")
    .selectAll()
    .where("kind", "in", ["post", "post-deletion"])
    .orderBy("subject_id")
    .orderBy("version")
    .execute();
  return rows.map(({ kind, subject_id, version }) => `${kind} ${subject_id} ${version}`);
}

/** In how many places the salt is kept. */
async function kept({ storage }: Tandem, salt: string): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select (select count(*) from posts where first_entry like ${`${salt}%`})
      + (select count(*) from log_pending where salt = ${salt})
      + (select count(*) from post_receipts where salt = ${salt}) as kept`.execute(storage.read);
  return Number(rows[0]?.kept);
}

function head({ storage }: Tandem) {
  return storage.read.selectFrom("log_head").selectAll().executeTakeFirstOrThrow();
}

test("an entry that says who answers for it, and whose key signed it, is in the post's row", () => {
  const by = { operator: "ada_l", signer: "signer.example" };
  expect(newFirstEntry({ mediaUrl: null }, by)).toMatch(/^[\w-]{22} ada_l signer\.example$/);
  expect(newFirstEntry({ mediaUrl: "/media/a.webp" }, by)).toBe(null);
});
