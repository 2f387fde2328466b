import { checkReceipt } from "@tandem/client/check-receipt";
import type { Sent } from "@tandem/client/client";
import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import type { Operations } from "@tandem/contract/operations";
import type { OriginPlatform } from "@tandem/contract/origins";
import { followingList } from "@tandem/testing/account-inputs";
import { makeAdmin } from "@tandem/testing/admins";
import { carOf, csv, outboxOf, scriptOf, tweetOf, zipOf } from "@tandem/testing/archives";
import type { Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { counterRules } from "../../cli/check/counters.ts";
import { checkRule } from "../../cli/check/run-rule.ts";
import type { Item } from "../../origins/connector.ts";
import { ingest } from "../sources/ingest.ts";
import { runImports } from "./run-imports.ts";

const picture = (name: string) => ({
  type: "Document",
  mediaType: "image/png",
  url: `/media_attachments/files/1/original/${name}.png`,
  name: `Alt of ${name}`,
});

describe.each(engines)("imports on %s", (engine) => {
  const clock = stoppedClock();
  const start = () => startTandem(engine, { now: clock.now });

  test("posts become the author's own, with their time, and are no news to anyone", async () => {
    await using tandem = await start();
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    await bob.follow({ platform: "native", author: "ada" });
    const { post: current } = await ada.createPost({ title: "Here already" });
    const file = await zipOf({
      "outbox.json": outboxOf(
        { content: "<p>Hello @bob, #looms</p>", summary: "Old", attachment: [picture("a")] },
        {},
      ),
      "media_attachments/files/1/original/a.png": await drawPicture({ type: "png" }),
    });
    const done = await imported(tandem, ada, { platform: "mastodon", file: new Blob([file]) });
    expect(done).toMatchObject({ state: "done", problem: null, done: 2, total: 2, missing: false });
    expect(done.counts).toEqual([{ part: "posts", outcome: "added", count: 2 }]);

    const { posts } = await bob.listPosts({ author: "ada", imported: 1 });
    expect(posts.map(({ postedAt }) => postedAt)).toEqual([
      "2019-05-02T10:00:00.000Z",
      "2019-05-01T10:00:00.000Z",
    ]);
    expect(posts[1]).toMatchObject({
      ...{ platform: "native", author: "ada", title: null, body: "Hello \\@bob, #looms" },
      ...{ provenance: "human", provenanceBasis: "assumed", importedFrom: "mastodon", contentWarning: "Old" },
      ...{ mediaType: "image", alt: "Alt of a", followedCreator: true },
      origin: { url: "https://social.example/@ada/0", score: null, commentCount: null },
    });
    const ids = async (query: Sent<Operations["listPosts"]>, caller = bob) =>
      (await caller.listPosts(query)).posts.map(({ id }) => id);
    for (const query of [
      {},
      { sort: "hot" },
      { followed: 1 },
      { author: "ada" },
      { platform: "native" },
    ] as const)
      expect([query, await ids(query)]).toEqual([query, [current.id]]);
    const [latest = 0, first = 0] = posts.map(({ id }) => id);
    expect(await ids({ basis: "assumed" })).toEqual([]);
    const q = "hello looms";
    expect(await ids({ q })).toEqual([]);
    for (const query of [
      { q, author: "ada" },
      { q, sort: "hot" },
      { q, since: "2000-01-01" },
    ] as const)
      expect([query, await ids(query)]).toEqual([query, [first]]);
    expect(await ids({ author: "ada", until: "2019-12-31" })).toEqual([latest, first]);
    expect((await bob.listNotifications()).notifications).toEqual([]);
    expect((await ada.readCreator({ platform: "native", author: "ada" })).creator.postCount).toBe(1);
    await bob.likePost({ id: first });
    await bob.createComment({ id: first, body: "Oh" });
    expect(await ids({ sort: "hot", followed: 1 })).toEqual([current.id]);
    expect(await ids({ sort: "hot", author: "ada", imported: 1 })).toEqual([latest, first]);

    // They are posts like any other: edited, removed, restored and deleted.
    await ada.editPost({ id: first, body: "Hello" });
    const edited = await bob.readPost({ id: first });
    expect(edited.post).toMatchObject({
      body: "Hello",
      importedFrom: "mastodon",
      provenanceBasis: "assumed",
    });
    await makeAdmin(tandem.storage, bob);
    await bob.removePost({ id: latest, reason: "A test" });
    await bob.restorePost({ id: latest });
    expect(await ids({})).toEqual([current.id]);
    await ada.deletePost({ id: first });
    // What is here isn't added again; what its author deleted is.
    const again = await imported(tandem, ada, { platform: "mastodon", file: new Blob([file]) });
    expect(again.counts).toEqual([
      { part: "posts", outcome: "added", count: 1 },
      { part: "posts", outcome: "existing", count: 1 },
    ]);
    const problems: string[] = [];
    for (const rule of counterRules.filter(({ what }) => /hot rank|a creator's/.test(what)))
      await checkRule(rule, tandem.storage.read, null, (problem) => problems.push(problem));
    expect(problems).toEqual([]);
    const receipt = await tandem.storage.read
      .selectFrom("log_pending")
      .select(["entry"])
      .where("subject_id", "=", latest)
      .execute();
    expect(JSON.stringify(receipt)).toContain("assumed");
  });

  test("follows and bookmarks find what is here", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human("ada");
    const [toot] = await gather(tandem, "mastodon", [
      ["https://far.example/users/bob/statuses/7", "bob@far.example"],
    ]);
    await gather(tandem, "bluesky", [["at://did:plc:bob/app.bsky.feed.post/1", "bob.example"]]);
    const [saved] = await gather(tandem, "reddit", [["t3_zzz", "eve"]]);
    const mastodon = await imported(tandem, ada, {
      platform: "mastodon",
      file: new Blob(["Account address\nBob@far.example\nno@far.example\n"]),
    });
    expect(mastodon.counts).toEqual([
      { part: "follows", outcome: "not_found", count: 1 },
      { part: "follows", outcome: "added", count: 1 },
    ]);
    expect((await ada.listMissing({ id: mastodon.id })).missing).toEqual([
      { part: "follows", name: "no@far.example" },
    ]);
    await imported(tandem, ada, {
      platform: "mastodon",
      file: new Blob(["https://far.example/users/bob/statuses/7\n"]),
    });
    const follow = {
      $type: "app.bsky.graph.follow",
      subject: "did:plc:bob",
      createdAt: "2024-01-01T00:00:00Z",
    };
    const car = carOf("did:plc:ada", { "app.bsky.graph.follow/1": follow });
    await imported(tandem, ada, { platform: "bluesky", file: new Blob([car]) });
    const reddit = await zipOf({
      "saved_posts.csv": csv(["id", "permalink"], ["zzz", "https://www.reddit.com/r/looms/comments/zzz/y/"]),
      "subscribed_subreddits.csv": csv(["subreddit"], ["looms"], ["u_Eve"]),
    });
    const latest = await imported(tandem, ada, { platform: "reddit", file: new Blob([reddit]) });
    expect((await ada.listMissing({ id: latest.id })).missing).toEqual([
      { part: "communities", name: "r/looms" },
    ]);
    const { follows } = await ada.listFollows({});
    expect(follows.map(({ platform, author }) => `${platform} ${author}`).sort()).toEqual([
      "bluesky bob.example",
      "mastodon bob@far.example",
      "reddit eve",
    ]);
    expect((await ada.listPosts({ saved: 1 })).posts.map(({ id }) => id).sort()).toEqual(
      [toot, saved].sort(),
    );
    const again = await imported(tandem, ada, {
      platform: "reddit",
      file: new Blob([reddit]),
      parts: "bookmarks",
    });
    expect(again.counts).toEqual([{ part: "bookmarks", outcome: "existing", count: 1 }]);
    expect((await ada.listImports()).imports.map(({ platform }) => platform)).toEqual([
      ...["reddit", "reddit", "bluesky", "mastodon", "mastodon"],
    ]);
  });

  test("mutes, blocks, lists and communities find what is here, and an undo takes back what was added", async () => {
    await using tandem = await start();
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    const far = (name: string, id: number): [string, string] => [
      `https://far.example/users/${name}/statuses/${id}`,
      `${name}@far.example`,
    ];
    await gather(tandem, "mastodon", [far("bob", 1), far("eve", 2), far("kim", 3)]);
    await gather(tandem, "reddit", [["t3_a", "rob", "Looms"]]);
    const of = (name: string) => ({ platform: "mastodon" as const, author: `${name}@far.example` });
    await ada.follow(of("kim"));
    const until = new Date(clock.now() + DAY).toISOString();
    await ada.mute({ ...of("eve"), until });
    const { list } = await ada.createList({ name: "Old" });
    await ada.addToList({ id: list.id, ...of("eve") });

    const file = await zipOf({
      "outbox.json": outboxOf({}, {}, {}, {}, {}),
      "bookmarks.json": JSON.stringify({ orderedItems: [far("bob", 1)[0], far("eve", 2)[0]] }),
      "following_accounts.csv": csv(["Account address"], ["bob@far.example"], ["kim@far.example"]),
      "muted_accounts.csv": csv(["Account address", "Hide notifications"], ["eve@far.example", "true"]),
      "blocked_accounts.csv": csv(["kim@far.example"], ["no@far.example"]),
      "lists.csv": csv(
        ["Weavers", "bob@far.example"],
        ["Old", "eve@far.example"],
        ["Old", "kim@far.example"],
      ),
    });
    const done = await imported(tandem, ada, { platform: "mastodon", file: new Blob([file]) });
    const counts = Object.fromEntries(done.counts.map((one) => [`${one.part} ${one.outcome}`, one.count]));
    expect(counts).toEqual({
      ...{ "posts added": 5, "bookmarks added": 2, "follows added": 1, "follows existing": 1 },
      ...{
        "lists added": 2,
        "lists existing": 1,
        "mutes existing": 1,
        "blocks added": 1,
        "blocks not_found": 1,
      },
    });
    const state = async () => ({
      follows: (await ada.listFollows({})).follows.map(({ author }) => author).sort(),
      mutes: (await ada.listMutes()).mutes.map(({ author }) => author).sort(),
      lists: await Promise.all(
        (await ada.listLists({})).lists.map(async ({ id, name }) => {
          const { members } = await ada.readList({ id });
          return [name, ...members.map(({ author }) => author).sort()].join(" ");
        }),
      ),
      saved: (await ada.listPosts({ saved: 1 })).posts.map(({ author }) => author).sort(),
      communities: (await ada.listFollowedCommunities()).communities,
      posts: (await ada.listPosts({ author: "ada", imported: 1 })).posts.length,
    });
    expect(await state()).toEqual({
      follows: ["bob@far.example", "kim@far.example"],
      mutes: ["eve@far.example", "kim@far.example"],
      lists: ["Old eve@far.example kim@far.example", "Weavers bob@far.example"],
      saved: ["bob@far.example", "eve@far.example"],
      communities: [],
      posts: 5,
    });

    // What they and others worked with since stays.
    const [edited, commented, pinned, quoted] = (await ada.listPosts({ author: "ada", imported: 1 })).posts;
    await ada.editPost({ id: edited?.id ?? 0, body: "Better" });
    await bob.createComment({ id: commented?.id ?? 0, body: "Oh" });
    await ada.pinPost({ id: pinned?.id ?? 0 });
    await bob.createPost({ title: "See", quoteId: quoted?.id ?? 0 });
    const { collection } = await ada.createCollection({ name: "Kept" });
    const kept = (await ada.listPosts({ saved: 1 })).posts.find(({ author }) => author === "eve@far.example");
    await ada.addToCollection({ id: collection.id, postId: kept?.id ?? 0 });
    await ada.mute({ ...of("kim"), until });
    const weavers = (await ada.listLists({})).lists.find(({ name }) => name === "Weavers");
    await ada.addToList({ id: weavers?.id ?? 0, ...of("eve") });
    expect(await bob.call("undoImport", { id: done.id })).toMatchObject({ status: 404 });
    const { import: undone } = await ada.undoImport({ id: done.id });
    expect(undone).toMatchObject({ state: "undoing", counts: [] });
    await tandem.services.afterResponse.idle();
    const counted = [
      { part: "posts", outcome: "kept", count: 4 },
      { part: "blocks", outcome: "kept", count: 1 },
      { part: "bookmarks", outcome: "kept", count: 1 },
      { part: "lists", outcome: "kept", count: 1 },
    ];
    const [left] = (await ada.listImports()).imports;
    expect(left).toMatchObject({ id: done.id, state: "undone", problem: null });
    expect(left?.counts).toEqual(expect.arrayContaining(counted));
    expect(left?.counts).toHaveLength(counted.length);
    // Undoing it once more takes it off the list.
    await ada.undoImport({ id: done.id });
    await tandem.services.afterResponse.idle();
    expect((await ada.listImports()).imports).toEqual([]);
    expect(await state()).toEqual({
      follows: ["kim@far.example"],
      mutes: ["eve@far.example", "kim@far.example"],
      lists: ["Old eve@far.example", "Weavers eve@far.example"],
      saved: ["eve@far.example"],
      communities: [],
      posts: 4,
    });
    expect(await tandem.storage.read.selectFrom("imports").selectAll().execute()).toEqual([]);
    const again = await imported(tandem, ada, {
      platform: "mastodon",
      file: new Blob([file]),
      parts: "posts",
    });
    expect(again.counts).toEqual([
      { part: "posts", outcome: "existing", count: 4 },
      { part: "posts", outcome: "added", count: 1 },
    ]);

    const subscribed = csv(["subreddit"], ["looms"], ["nothere"]);
    const reddit = await imported(tandem, ada, { platform: "reddit", file: new Blob([subscribed]) });
    expect((await state()).communities).toEqual([{ platform: "reddit", community: "looms" }]);
    expect((await ada.listMissing({ id: reddit.id })).missing).toEqual([
      { part: "communities", name: "r/nothere" },
    ]);
    await ada.undoImport({ id: reddit.id });
    await tandem.services.afterResponse.idle();
    expect((await state()).communities).toEqual([]);
  });

  test("an interrupted import continues where it was", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human("ada");
    const tweets = Array.from({ length: 60 }, (_, i) =>
      tweetOf(String(100 + i), { full_text: `Tweet ${i}` }),
    );
    await waiting(tandem, ada, { platform: "x", file: new Blob([scriptOf("tweets", tweets)]) });
    // Ends in the second of three batches.
    const ending = new AbortController();
    let calls = 0;
    ending.signal.throwIfAborted = () => {
      calls += 1;
      if (calls === 3) ending.abort();
      AbortSignal.prototype.throwIfAborted.call(ending.signal);
    };
    await runImports(tandem.services, ending.signal);
    const [before] = (await ada.listImports()).imports;
    expect(before).toMatchObject({ state: "working", done: 25, total: 60 });
    clock.pass(MINUTE);
    await runImports(tandem.services);
    const [after] = (await ada.listImports()).imports;
    expect(after).toMatchObject({ state: "done", counts: [{ part: "posts", outcome: "added", count: 60 }] });
    const bodies = new Set<string | null>();
    for (let cursor: number | null = null; ; ) {
      const page = await ada.listPosts({ author: "ada", imported: 1, ...(cursor !== null && { cursor }) });
      for (const { body } of page.posts) bodies.add(body);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    expect(bodies.size).toBe(60);
    expect(await storedFiles(tandem)).toEqual([]);
    // A comment that a moderator removed may come back.
    const [bob, admin] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const [kept] = (await ada.listPosts({ author: "ada", imported: 1 })).posts;
    const { comment } = await bob.createComment({ id: kept?.id ?? 0, body: "Then as now" });
    await admin.removeComment({ id: comment.id, reason: "A test" });
    await ada.undoImport({ id: after?.id ?? 0 });
    await tandem.services.afterResponse.idle();
    expect((await ada.listPosts({ author: "ada", imported: 1 })).posts).toMatchObject([{ id: kept?.id }]);
  });
});

test("all pictures of a post are imported; those of posts that are here aren't converted again", async () => {
  const clock = stoppedClock();
  await using tandem = await startTandem("sqlite", { now: clock.now });
  const ada = await tandem.as.human("ada");
  const [first, second] = [await drawPicture({ type: "png" }), await drawPicture({ type: "jpeg" })];
  const file = (broken: string | Uint8Array) =>
    zipOf({
      "outbox.json": outboxOf(
        { attachment: ["a", "b", "c"].map((name) => picture(name)) },
        { attachment: Array.from({ length: 12 }, () => picture("c")) },
      ),
      "media_attachments/files/1/original/a.png": first,
      "media_attachments/files/1/original/b.png": broken,
      "media_attachments/files/1/original/c.png": second,
    });
  await waiting(tandem, ada, { platform: "mastodon", file: new Blob([await file("broken")]) });
  // Without time to decode, the import waits for the next hour.
  const { mediaSecondsPerHour } = tandem.limits;
  Object.assign(tandem.limits, { mediaSecondsPerHour: 0 });
  await runImports(tandem.services);
  const importNow = async () => (await ada.listImports()).imports[0];
  const continuesAt = expect.stringMatching(/^2026-/);
  expect(await importNow()).toMatchObject({ state: "working", done: 0, total: 2, continuesAt });
  Object.assign(tandem.limits, { mediaSecondsPerHour });
  await runImports(tandem.services);
  expect(await importNow()).toMatchObject({ state: "working", done: 0 });
  clock.pass(HOUR);
  await runImports(tandem.services);
  expect(await importNow()).toMatchObject({
    state: "done",
    counts: [
      { part: "posts", outcome: "added", count: 2 },
      { part: "posts", outcome: "lost_media", count: 2 },
    ],
  });
  const [repeated, post] = (await ada.listPosts({ author: "ada", imported: 1 })).posts;
  expect(post).toMatchObject({ mediaType: "image", alt: "Alt of a" });
  expect(post?.pictures?.map(({ alt }) => alt)).toEqual(["Alt of a", "Alt of c"]);
  expect(repeated?.pictures).toHaveLength(10);
  expect(
    await checkReceipt({ baseUrl: tandem.baseUrl, postId: post?.id ?? 0, commentId: null }),
  ).toMatchObject({
    results: { text: "passed", media: "passed" },
  });

  // An import that had to convert pictures would wait again.
  await waiting(tandem, ada, { platform: "mastodon", file: new Blob([await file(first)]) });
  Object.assign(tandem.limits, { mediaSecondsPerHour: 0 });
  await runImports(tandem.services);
  expect((await importNow())?.counts).toEqual([{ part: "posts", outcome: "existing", count: 2 }]);
});

test("imports take turns", async () => {
  const clock = stoppedClock();
  await using tandem = await startTandem("sqlite", { now: clock.now });
  const people = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
  const tweets = Array.from({ length: 100 }, (_, i) => tweetOf(String(100 + i), {}));
  for (const person of people)
    await waiting(tandem, person, { platform: "x", file: new Blob([scriptOf("tweets", tweets)]) });
  // Each batch takes long. Of twelve batches and their beginnings, each import has some.
  const ending = new AbortController();
  let calls = 0;
  ending.signal.throwIfAborted = () => {
    clock.pass(3 * MINUTE);
    calls += 1;
    if (calls === 12) ending.abort();
    AbortSignal.prototype.throwIfAborted.call(ending.signal);
  };
  await runImports(tandem.services, ending.signal);
  for (const person of people) {
    const [latest] = (await person.listImports()).imports;
    expect(latest?.state).toBe("working");
    expect(latest?.done).toBeGreaterThan(0);
  }
});

test("what may not be published is left out, and a suspension ends an import", async () => {
  await using tandem = await startTandem("sqlite");
  const [ada, admin] = [await tandem.as.human("ada"), await tandem.as.human()];
  await makeAdmin(tandem.storage, admin);
  await admin.denyLink({ host: "spam.example", reason: "Spam" });
  const outbox = outboxOf(
    { content: "<p>Buy at spam.example/now</p>" },
    { content: "<p>Fine</p>" },
    { content: "<p>Its page is forged</p>", url: "https://spam.example/now" },
  );
  const { counts } = await imported(tandem, ada, { platform: "mastodon", file: new Blob([outbox]) });
  expect(counts).toEqual([
    { part: "posts", outcome: "denied", count: 2 },
    { part: "posts", outcome: "added", count: 1 },
  ]);
  expect((await ada.listPosts({ platform: "native", basis: "assumed" })).posts).toEqual([]);
  // No page says that a person wrote it.
  const [post] = (await ada.listPosts({ author: "ada", imported: 1 })).posts;
  const html = await (await fetch(`${tandem.baseUrl}/posts/${post?.id}`)).text();
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(json).author).toEqual({ name: "ada", url: `${tandem.baseUrl}/creators/native/ada` });
  expect(html).toContain("Origin unknown");
  const plain = await (await fetch(`${tandem.baseUrl}/posts/${post?.id}.md`)).text();
  expect(plain).toContain("Imported from mastodon by its author, dated as the export says");

  await waiting(tandem, ada, { platform: "mastodon", file: new Blob([outboxOf({}, {}, {})]) });
  expect(await ada.call("startImport", { platform: "mastodon", file: followingList })).toMatchObject({
    status: 409,
    body: { code: "import_running" },
  });
  await admin.suspendAccount({ id: ada.user.id, reason: "A test" });
  await runImports(tandem.services);
  expect((await ada.listImports()).imports[0]).toMatchObject({
    state: "failed",
    problem: "suspended",
    done: 0,
  });
  expect(await ada.call("startImport", { platform: "mastodon", file: followingList })).toMatchObject({
    status: 403,
  });
});

test("a file that isn't an export is refused in the background; a deleted account leaves nothing", async () => {
  await using tandem = await startTandem("sqlite");
  const ada = await tandem.as.human("ada");
  const failed = await imported(tandem, ada, { platform: "reddit", file: new Blob(["hello"]) });
  expect(failed).toMatchObject({ state: "failed", problem: "not_recognized", total: null });
  const dry = await ada.call("startImport", { platform: "mastodon", file: followingList }, { dryRun: true });
  expect(dry.status).toBe(200);
  expect(await storedFiles(tandem)).toEqual([]);
  await waiting(tandem, ada, { platform: "mastodon", file: new Blob([outboxOf({}, {})]) });
  expect(await storedFiles(tandem)).toHaveLength(1);
  await ada.deleteAccount({ password: ada.password });
  await runImports(tandem.services);
  expect(await storedFiles(tandem)).toEqual([]);
  expect(await tandem.storage.read.selectFrom("imports").selectAll().execute()).toEqual([]);
});

type Wanted = Sent<Operations["startImport"]>;

async function imported(tandem: Tandem, person: Person, wanted: Wanted) {
  await person.startImport(wanted);
  await tandem.services.afterResponse.idle();
  const [latest] = (await person.listImports()).imports;
  if (!latest) throw new Error("no import");
  return latest;
}

/** Starts an import, on which nothing works until {@link runImports}. */
async function waiting(tandem: Tandem, person: Person, wanted: Wanted): Promise<void> {
  const { run } = tandem.services.afterResponse;
  tandem.services.afterResponse.run = () => {};
  await person.startImport(wanted);
  tandem.services.afterResponse.run = run;
}

async function storedFiles({ services }: Tandem): Promise<string[]> {
  const names = [];
  for await (const { name } of services.media.store.list()) names.push(name);
  return names;
}

/** Imports posts as a source does. Returns their ids. */
function gather(
  tandem: Tandem,
  platform: OriginPlatform,
  posts: [key: string, author: string, community?: string][],
): Promise<number[]> {
  return tandem.storage.write(async (tx) => {
    const { id } = await tx
      .insertInto("sources")
      .values({ platform, name: platform })
      .returning("id")
      .executeTakeFirstOrThrow();
    const items: Item[] = posts.map(([key, author, community = null]) => ({
      ...{ key, author, permalink: null, link: null, authorAvatarUrl: null, title: "A post", body: null },
      ...{ mediaType: "text", mediaUrl: null, audioUrl: null, thumbnailUrl: null, width: null, height: null },
      ...{ durationSeconds: null, alt: null, pictures: [], contentWarning: null, sensitive: false },
      ...{ community, score: null, commentCount: null, thread: null, provenance: null, postedAt: 1 },
    }));
    const source = { id, platform, name: platform, community: null, url: null };
    const found = { items, brief: false, unchanged: false, gone: [], complete: false, askAgainAfter: null };
    await ingest(tx, source, found, clockOf());
    const rows = await tx.selectFrom("gathered").select("post_id").where("platform", "=", platform).execute();
    return rows.map(({ post_id }) => Number(post_id));
  });
}

const clockOf = () => Date.UTC(2026, 0, 15);
