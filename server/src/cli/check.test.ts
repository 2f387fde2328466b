import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeAdmin } from "@tandem/testing/admins";
import { emptyPlace, runCommand } from "@tandem/testing/command";
import { drawPicture } from "@tandem/testing/pictures";
import { temporaryDirectory } from "@tandem/testing/storage";
import { enginesWithStores, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { insertArchived } from "../features/posts/archived-posts.ts";
import { integrate } from "../features/transparency-log/integrate.ts";
import { fromFragment } from "../storage/post-fragment.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";

const first = "(select min(id) from posts)";
const second = "(select max(id) from posts where removed = 0 and archived = 0)";

/** What breaks an invariant, and what the check says. */
const derivable: [statement: string, finding: RegExp][] = [
  [`update posts set like_count = 7 where id = ${first}`, /posts id \d+: like_count is 7 instead of 2 /],
  [
    `update posts set ai_like_count = 2 where id = ${first}`,
    /posts id \d+: ai_like_count is 2 instead of 1 /,
  ],
  [
    `update posts set comment_count = 0 where id = ${first}`,
    /posts id \d+: comment_count is 0 instead of 3 /,
  ],
  [`update posts set repost_count = 3 where id = ${first}`, /posts id \d+: repost_count is 3 instead of 0 /],
  [
    `update posts set ai_repost_count = 1 where id = ${first}`,
    /posts id \d+: ai_repost_count is 1 instead of 0 /,
  ],
  [`update posts set quote_count = 2 where id = ${first}`, /posts id \d+: quote_count is 2 instead of 0 /],
  [`update posts set click_count = -1 where id = ${first}`, /posts id \d+: click_count is -1 instead of 0 /],
  [`update posts set hot_rank = hot_rank + 1 where id = ${second}`, /posts id \d+: hot_rank is /],
  [
    `update posts set provenance = 'human' where id = ${second}`,
    /posts id \d+: its columns say .* and it shows /,
  ],
  [
    "update creators set post_count = 9 where author = 'ada'",
    /creators id \d+: post_count is 9 instead of 2 /,
  ],
  ["update creators set view_count = 9 where author = 'ada'", /: view_count is 9 instead of 0 /],
  ["update creators set like_count = 9 where author = 'ada'", /: like_count is 9 instead of 2 /],
  ["update creators set comment_count = 9 where author = 'ada'", /: comment_count is 9 instead of 3 /],
  ["update creators set click_count = -1 where author = 'ada'", /: click_count is -1 instead of 0 /],
  ["update creators set follower_count = 0 where author = 'ada'", /: follower_count is 0 instead of 1 /],
  [
    "update comments set like_count = 3 where id = (select min(id) from comments)",
    /comments id \d+: like_count is 3 instead of 1 /,
  ],
  [
    "update comments set ai_like_count = 1 where id = (select min(id) from comments)",
    /comments id \d+: ai_like_count is 1 instead of 0 /,
  ],
  [
    "update comments set reply_count = 0 where id = (select min(id) from comments)",
    /comments id \d+: reply_count is 0 instead of 1 /,
  ],
  ["update users set unread = 99 where username = 'ada'", /users id \d+: unread is 99 instead of \d+ /],
  ["update users set has_blocks = 0 where username = 'bob'", /users id \d+: has_blocks is 0 instead of 1 /],
  [
    "update users set followed_tags = 0 where username = 'ada'",
    /users id \d+: followed_tags is 0 instead of 1 /,
  ],
  [
    "update users set followed_communities = 0 where username = 'bob'",
    /users id \d+: followed_communities is 0 instead of 1 /,
  ],
  ["update communities set member_count = 7", /communities id \d+: member_count is 7 instead of 2 /],
  ["update communities set post_count = 7", /communities id \d+: post_count is 7 instead of 1 /],
  ["update collections set post_count = 7", /collections id \d+: post_count is 7 instead of 1 /],
  ["update report_cases set reports = 0", /report_cases id \d+: reports is 0 instead of 1 /],
  ["update conversation_sides set last_id = 0", /: last_id is 0 instead of \d+ /],
  ["update conversation_sides set unread = 5", /: unread is 5 instead of 1 /],
  ["update conversations set answered = 0", /: answered is 0 instead of 1 /],
  ["update media_files set withheld = 1", /media_files media_id \d+: withheld is 1 instead of 0 /],
  ["update drafts set due_at = null", /drafts id \d+: due_at is null instead of \d+ /],
  ["update quota_windows set used = -1", /the quota .* is used -1 times/],
  ["delete from post_tags where tag = 'CAFE'", /posts id \d+: the index of hashtags lacks #CAFE /],
  [
    // What is damaged can be anything, and must not reach the terminal as a command.
    `insert into post_tags (post_id, tag) values (${first}, '\u001b[2JELSE')`,
    /posts id \d+: the index of hashtags has #\[2JELSE /,
  ],
  [
    "update tag_uses set tag = 'tee', name = 'Tee' where tag = 'wool'",
    /tag_uses user_id \d+: a use of #Tee isn't in post \d+ /,
  ],
  [
    "update tag_uses set name = 'loom' where comment_id > 0",
    /tag_uses user_id \d+: a use of #loom isn't in comment \d+ /,
  ],
  [
    "delete from conversation_sides where side = 1",
    /conversation_sides conversation_id \d+: the other side's row is missing/,
  ],
  ["delete from friendships where user_id = (select min(user_id) from friendships)", /other side's row/],
  ["delete from blocks where blocked_at is null", /blocks user_id \d+: the other side's row is missing/],
  [
    `update post_texts set folded = 'other' where post_id = ${first}`,
    /posts id \d+: the search has another text of it/,
  ],
  ["delete from creator_texts", /creators id \d+: the search has no text of it/],
  [
    "update log_tiles set hashes = replace(hashes, substr(hashes, 1, 4), 'AAAA')",
    /tile 0 of level 0 doesn't follow/,
  ],
];

const notDerivable: [statement: string, finding: RegExp][] = [
  [`update removed_posts set post_id = ${first}`, /removed_posts doesn't agree/],
  [
    "update post_receipts set position = position + 1",
    /post_receipts post_id \d+: version 1 points at entry \d+/,
  ],
  [
    "update current_receipts set position = position - 1 where kind = 'profile'",
    /current_receipts subject_id \d+: version 1 of profile points at entry \d+/,
  ],
  [
    "delete from communities",
    /current_receipts subject_id \d+: the community is deleted, but its salt is kept/,
  ],
  [
    `delete from post_receipts where post_id = ${second}`,
    /posts id \d+: the transparency log passed it over/,
  ],
  ["update log_head set posts_done = 1000000", /posts id \d+: the transparency log passed it over/],
  ["update media_files set bytes = bytes + 1", /has \d+ bytes instead of \d+/],
  [`update posts set fragment = replace(fragment, '/media/', '/media/x') where id = ${first}`, /has no row/],
  ["delete from log_entries where position > 1", /the transparency log lacks entries/],
  [
    `insert into audit_log (id, at, actor, act, detail, "before", hash)
      select id + 1, at, actor, act, detail, "before", hash from audit_log order by id desc limit 1`,
    /the audit log is broken at entry \d+/,
  ],
];

/** What breaks the state of the transparency log, one after the other. */
const stateOfLog: [statement: string, finding: RegExp][] = [
  ["update log_head set checkpoint = 'x'", /checkpoint isn't valid: malformed note/],
  ["update log_head set size = size - 1", /checkpoint isn't valid/],
  ["delete from log_keys", /the transparency log has no signing key/],
  ["delete from log_head", /the transparency log has no signed state/],
];

/** What breaks SQLite's search index. Earlier posts share the words of what it lacks. */
const unindexed: [statement: string, finding: RegExp][] = [
  [
    `delete from post_search where rowid = ${first} + 1`,
    /posts id 2: the search index lacks it or has other words /,
  ],
  [
    `update post_search set text = 'INDEXED ALSO  ' where rowid = ${second}`,
    /posts id 3: the search index lacks it or has other words /,
  ],
  [
    "insert into post_search (rowid, text) values (99999, 'STRAY  ')",
    /the search index has 1 entry without a row of post_texts/,
  ],
];

/** A service's rows of every kind that something is derived from. */
async function fill(tandem: Tandem): Promise<number> {
  const ada = await tandem.as.human("ada");
  const bob = await tandem.as.human("bob");
  const eve = await tandem.as.human("eve");
  const agent = await tandem.as.agent(bob);
  const image = new Blob([new Uint8Array(await drawPicture())]);
  const { post } = await ada.createPost({ title: "Plain weave", body: "On looms", image });
  await ada.createCommunity({ name: "weaving" });
  await bob.joinCommunity({ name: "weaving" });
  await bob.createPost({ title: "On weaving", body: "In the #Café, with #Wool", community: "weaving" });
  const { post: gone } = await bob.createPost({ title: "To be deleted", community: "weaving" });
  await ada.followTag({ tag: "weaving" });
  const { collection } = await ada.createCollection({ name: "To weave" });
  for (const postId of [post.id, gone.id]) await ada.addToCollection({ id: collection.id, postId });
  await bob.deletePost({ id: gone.id });
  await ada.createPost({ title: "Declared", provenance: "ai_assisted" });
  await bob.likePost({ id: post.id });
  await agent.likePost({ id: post.id });
  const { comment } = await bob.createComment({ id: post.id, body: "Well said, #Loom" });
  await ada.createComment({ id: post.id, body: "Thanks", parentId: comment.id });
  await agent.createComment({ id: post.id, body: "Indeed" });
  await ada.likeComment({ id: comment.id });
  await bob.follow({ platform: "native", author: "ada" });
  const { request } = await bob.requestFriend({ username: "ada" });
  await ada.acceptFriend({ id: request.id });
  await bob.sendMessage({ username: "ada", body: "Have you a minute?" });
  await ada.sendMessage({ username: "bob", body: "I have." });
  await bob.block({ username: "eve" });
  await eve.createReport({ postId: post.id, reason: "Advertising" });
  await ada.createDraft({ title: "Later", publishAt: new Date(Date.now() + 1e9).toISOString() });
  const { post: removed } = await eve.createPost({ title: "To be removed" });
  await makeAdmin(tandem.storage, ada);
  await ada.removePost({ id: removed.id, reason: "Advertising" });
  await addArchived(tandem, gone.id - 1);
  await integrate(tandem.services);
  return post.id;
}

/** As an import from another platform adds a post: its hashtags, those of this post, aren't recorded. */
async function addArchived({ storage }: Tandem, like: number): Promise<void> {
  await storage.write(async (tx) => {
    const { fragment, creator_id } = await tx
      .selectFrom("posts")
      .select(["fragment", "creator_id"])
      .where("id", "=", like)
      .executeTakeFirstOrThrow();
    const facts = { ...fromFragment(fragment), community: null, importedFrom: "mastodon" as const };
    const post = { facts, postedAt: Date.now() - 1e9, originUrl: null, files: [] };
    await insertArchived(tx, creator_id, [post], Date.now());
  });
}

describe.each(enginesWithStores)("tandem check of %s with media on %s", (engine, store) => {
  test("finds what is wrong while the service runs, and repairs what can be derived", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    await fill(tandem);
    const check = (...args: string[]) => place.run("check", ...args);
    expect(await check()).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });

    for (const [statement] of derivable) await run(tandem, statement);
    const found = await check();
    expect(found.code).toBe(1);
    for (const [, finding] of derivable) expect(found.out).toMatch(finding);
    expect(found.error).toMatch(/\d+ problems were found\.\n$/);
    expect(await check("--repair")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing else is wrong."),
    });
    expect(await check()).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });

    for (const [statement] of notDerivable) await run(tandem, statement);
    const left = await check("--repair");
    expect(left.code).toBe(1);
    for (const [, finding] of notDerivable) expect(left.out).toMatch(finding);
    const { media } = tandem.services;
    for await (const { name } of media.store.list()) await media.store.remove([name]);
    // PostgreSQL always enforces references.
    if (engine === "sqlite") await breakReference(String(place.env.DATA_DIR));
    const { out } = await check();
    expect(out).toMatch(/\.webp is missing/);
    if (engine === "sqlite")
      expect(out).toMatch(
        /1 row of comment_likes references missing rows of users: user_id 999, comment_id \d+\n/,
      );
  });

  test.runIf(engine === "sqlite")("finds what the search index lacks", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    const ada = await tandem.as.human("ada");
    for (const _ of [1, 2, 3]) await ada.createPost({ title: "Indexed too" });
    for (const [statement] of unindexed) await run(tandem, statement);
    const { out } = await place.run("check");
    for (const [, finding] of unindexed) expect(out).toMatch(finding);
    expect(out.match(/Wrong: posts/g)).toHaveLength(2);
    expect(await place.run("check", "--repair")).toMatchObject({ code: 0 });
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
  });

  test("finds what is damaged around the data: schema, logs, their keys and files", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    const id = await fill(tandem);
    const head = join(String(place.env.DATA_DIR), "log-head.json");
    const remembered = await readFile(head);
    await writeFile(head, "{bad");
    await run(tandem, "update log_tiles set hashes = 'x' || hashes");
    const { out } = await place.run("check", "--repair");
    expect(out).toMatch(/^Wrong: \S+log-head\.json is damaged: .* Delete it/);
    expect(out).toMatch(/\nRepaired: the transparency log's tile 0 of level 0 doesn't follow/);
    await writeFile(head, remembered);
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });

    await changeFile(tandem);
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
    expect((await place.run("check", "--media")).out).toMatch(
      /^Wrong: media id \d+: \S+ doesn't have the content that was stored .*\n$/,
    );
    for (const [statement, finding] of stateOfLog) {
      await run(tandem, statement);
      expect((await place.run("check")).out).toMatch(finding);
      if (statement === "delete from log_keys")
        expect(await place.run("log", "show")).toMatchObject({
          code: 1,
          error: expect.stringContaining("has no signing key"),
        });
    }

    await alter(
      tandem,
      engine === "sqlite"
        ? "drop trigger audit_log_no_delete"
        : "alter table audit_log disable trigger audit_log_no_change",
    );
    await run(tandem, "delete from audit_log");
    await alter(tandem, "drop index audit_log_actor");
    const around = (await place.run("check")).out;
    expect(around).toMatch(/the trigger audit_log_no_\w+ is missing/);
    expect(around).toMatch(/the index audit_log_actor is missing/);
    expect(around).toMatch(/the audit log is empty, although admins have made decisions/);
    await run(tandem, `update posts set fragment = '{broken' where id = ${id}`);
    expect((await place.run("check")).out).toMatch(/posts id \d+: its content can't be read/);
    await alter(tandem, "drop table tag_follows");
    const lost = await place.run("check", "--repair");
    expect(lost.code).toBe(1);
    expect(lost.out).toMatch(/Wrong: the table tag_follows is missing\n/);
    expect(lost.out).not.toContain("tag_follows.");
    expect(lost.error).toMatch(/\d+ problems were found\. Nothing else can be checked without/);
  });

  test("repairs nothing that follows from a contradiction", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    await fill(tandem);
    const fay = await tandem.as.human("fay");
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const { post: quoted } = await fay.createPost({ title: "Quoted" });
    const { post } = await fay.createPost({ title: "Removed", body: "#wool", quoteId: quoted.id, image });
    const admin = await tandem.as.human("ruth");
    await makeAdmin(tandem.storage, admin);
    await admin.removePost({ id: post.id, reason: "Advertising" });
    await integrate(tandem.services);
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
    await run(tandem, `update posts set removed = 0 where id = ${post.id}`);
    for (const _ of [1, 2]) {
      const { code, out } = await place.run("check", "--repair");
      expect({ code, out }).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^Wrong: posts id \d+: removed_posts doesn't agree [^\n]*\n$/),
      });
    }
  });

  test("reports a damaged count, and not what is derived from it as well", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    const id = await fill(tandem);
    await run(tandem, `update posts set like_count = 7, comment_count = 9 where id = ${id}`);
    const { out } = await place.run("check");
    expect(out).toMatch(/^Wrong: posts id \d+: like_count .*\nWrong: posts id \d+: comment_count .*\n$/);
    await place.run("check", "--repair");
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
  });

  test("finds quotas that don't agree with what was written", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    const id = await fill(tandem);
    const key = await tandem.as.key(undefined, await tandem.as.human("zoe"));
    await key.savePost({ id });
    await key.unsavePost({ id });
    await key.savePost({ id });
    const window = "update quota_windows set";
    // As if it had begun some time ago. Clocks may differ by a minute.
    await run(
      tandem,
      `${window} started_at = started_at - 100000, ends_at = ends_at - 100000 where used = 3`,
    );
    const damages: [statement: string, finding: RegExp][] = [
      [
        `${window} used = 1 where used = 3 and quota = 'engagement'`,
        /users id \d+: the quota engagement of keys:\d+ is used 1 times instead of at least 3 /,
      ],
      [
        `${window} used = 5000 where quota = 'posts'`,
        /users id \d+: the quota posts of keys:\d+ is used 5000 times instead of at most 200 /,
      ],
      [
        `${window} used = 301 where quota = 'writes' and holder like 'user:%'`,
        /users id \d+: the quota writes of user:\d+ is used 301 times instead of at most 300 /,
      ],
      [
        `${window} ends_at = ends_at + 1000 where quota = 'engagement' and used = 1`,
        /users id \d+: the quota engagement of keys:\d+ lasts 86401 s instead of 86400 s /,
      ],
    ];
    await key.createPost({ title: "Counted" });
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
    for (const [statement] of damages) await run(tandem, statement);
    const { out } = await place.run("check");
    for (const [, finding] of damages) expect(out).toMatch(finding);
    await place.run("check", "--repair");
    expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
    const { rows } = await sql`
      select used from quota_windows where quota = 'engagement' order by used desc`.execute(
      tandem.storage.read,
    );
    expect(rows[0]).toEqual({ used: 3 });
  });

  test("names posts whose content can't be read, and checks everything else", async () => {
    await using place = await emptyPlace(engine, store);
    await using tandem = await place.serve();
    const id = await fill(tandem);
    await run(tandem, `update posts set fragment = ',"title"' where id = ${id}`);
    await run(tandem, `update posts set fragment = ',"title":"Torn"' where id = ${second}`);
    await run(tandem, "update users set unread = 99 where username = 'ada'");
    await run(tandem, "update log_entries set entry = '{' where position = 1");
    for (const args of [[], ["--repair"]]) {
      const { code, out } = await place.run("check", ...args);
      expect(code).toBe(1);
      expect(out.match(/posts id \d+: its content can't be read /g)).toHaveLength(2);
      expect(out).toMatch(/unread is 99/);
      expect(out.match(/posts id/g)).toHaveLength(2);
    }
  });

  test("raises no false alarm while others write", async () => {
    await using place = await emptyPlace(engine, store);
    // What tests allow, the check must know.
    place.env.LIMIT_SESSION_WRITES_PER_MINUTE = "1000000";
    await using tandem = await place.serve();
    const id = await fill(tandem);
    const people = await Promise.all([1, 2, 3, 4].map(() => tandem.as.human()));
    const agents = await Promise.all(people.slice(0, 2).map((person) => tandem.as.agent(person)));
    let running = true;
    const storms = agents.map(async (agent) => {
      // As many as a new agent may.
      for (let left = 4; running && left > 0; left--) {
        await agent.savePost({ id });
        await agent.unsavePost({ id });
      }
    });
    const storm = people.map(async (person) => {
      while (running) {
        const { post } = await person.createPost({ title: "Under way, #soon #Now" });
        await person.likePost({ id });
        const { comment } = await person.createComment({ id, body: "Under way #soon" });
        await person.editPost({ id: post.id, title: "Edited, #now" });
        await person.editComment({ id: comment.id, body: "Under way #later" });
        await person.unlikePost({ id });
        await person.deletePost({ id: post.id });
        await integrate(tandem.services);
      }
    });
    for (let i = 0; i < 2; i++)
      expect(await place.run("check")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
    expect(await place.run("check", "--repair")).toMatchObject({ code: 0, out: "Nothing is wrong.\n" });
    running = false;
    await Promise.all([...storm, ...storms]);
  });
});

/** Breaks something. Rules of the database that prevent it are off meanwhile. */
async function run({ storage }: Tandem, statement: string): Promise<void> {
  const { numAffectedRows } = await storage.write((tx) => sql.raw(statement).execute(tx));
  if (numAffectedRows === 0n) throw new Error(`Nothing changed: ${statement}`);
}

/** Changes the schema. */
async function alter({ storage }: Tandem, statement: string): Promise<void> {
  await storage.write((tx) => sql.raw(statement).execute(tx));
}

/** Changes a byte of a media file. */
async function changeFile({ services, storage }: Tandem): Promise<void> {
  const { store } = services.media;
  const { name } = await storage.read.selectFrom("media_files").select("name").executeTakeFirstOrThrow();
  await using directory = await temporaryDirectory();
  const path = join(directory.path, name);
  const bytes = await store.withFile(name, (from) => readFile(from));
  if (!bytes) throw new Error("There is no file");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await store.remove([name]);
  await store.put(name, path);
}

async function breakReference(dataDir: string): Promise<void> {
  const storage = await openSqlite(join(dataDir, "tandem.db"), { bulkLoad: true });
  await storage.write((tx) => tx.updateTable("comment_likes").set({ user_id: 999 }).execute());
  await storage.close();
}

test("a check refuses a database that isn't there", async () => {
  await using directory = await temporaryDirectory();
  expect(await runCommand({ DATA_DIR: directory.path }, "check")).toMatchObject({
    code: 1,
    error: expect.stringContaining("There is no database"),
  });
});
