import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckedReceipt, checkReceipt } from "@tandem/client/check-receipt";
import { fromBase64Url } from "@tandem/contract/log/bytes";
import { openNote, parseVerifierKey, verifierKey } from "@tandem/contract/log/note";
import { type LogJwk, openCheckpoint } from "@tandem/contract/log/receipt";
import { rssFeed, startImports } from "@tandem/testing/import-setup";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { historiesOf } from "@tandem/testing/log-histories";
import { drawPicture } from "@tandem/testing/pictures";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { latestCheckpoint } from "./head.ts";
import { integrate } from "./integrate.ts";
import { LogForked, readRemembered } from "./remembered-head.ts";
import { restartLog, rotateKey } from "./rotate.ts";

describe.each(engines)("receipts on %s", (engine) => {
  test("cover every way to publish: by people, keys and agents, with pictures, products and comments", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const key = await tandem.as.key(undefined, person);
    const { product } = await person.createProduct({ title: "Teapot", url: "https://example.org/teapot" });
    const image = new Blob([Uint8Array.from(await drawPicture())]);
    const picture = (await person.createPost({ title: "A picture", image, alt: "Colors" })).post;
    const { post } = await person.createPost({ title: "Mine", url: "https://example.org/" });
    const { draft } = await agent.createDraft({ title: "Drafted", body: "Slowly" });
    const { postId } = await agent.publishDraft({ id: draft.id });
    const { comment } = await agent.createComment({ id: post.id, body: "So it is" });
    const reply = (await person.createComment({ id: post.id, body: "Is it?", parentId: comment.id })).comment;
    await key.attachProduct({ id: post.id, productId: product.id });
    await key.editComment({ id: reply.id, body: "It is." });
    await integrate(tandem.services);
    expect(await check(tandem, picture.id)).toMatchObject({ ok: true, results: { media: "passed" } });
    const mine = await check(tandem, post.id);
    expect(mine).toMatchObject({
      ok: true,
      entry: { version: 2, provenance: "ai_generated", basis: "stamped" },
    });
    const byAgent = await check(tandem, Number(postId));
    expect(byAgent).toMatchObject({ ok: true, receipt: { operator: person.user.username } });
    expect(await check(tandem, post.id, comment.id)).toMatchObject({
      ok: true,
      entry: { kind: "comment", provenance: "ai_generated" },
      receipt: { operator: person.user.username },
    });
    expect(await check(tandem, post.id, reply.id)).toMatchObject({
      ok: true,
      entry: { version: 2, basis: "stamped" },
    });
    // Entries name no one, and don't contain what was said.
    const text = await (
      await fetch(`${tandem.baseUrl}/log/tile/entries/000.p/${mine.checkpoint?.size}`)
    ).text();
    for (const secret of [person.user.username, "Mine", "So it is", "example.org", mine.receipt.salt])
      expect(text).not.toContain(secret);
    // Someone who changes the row without the log is found out.
    await tandem.storage.write((tx) =>
      tx.updateTable("comments").set({ body: "It isn't." }).where("id", "=", reply.id).execute(),
    );
    expect(await check(tandem, post.id, reply.id)).toMatchObject({ ok: false, results: { text: "failed" } });
  });

  test("an earlier version has its own receipt as long as its text is kept; a deletion forgets every salt", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "First" });
    const { comment } = await person.createComment({ id: post.id, body: "Kept as a placeholder" });
    await person.createComment({ id: post.id, body: "Why?", parentId: comment.id });
    await integrate(tandem.services);
    await person.editPost({ id: post.id, title: "Second" });
    const receipts = async (version?: number) =>
      (await person.readPostReceipt({ id: post.id, ...(version && { version }) })).receipt;
    const [first, second] = [await receipts(1), await receipts()];
    expect([first, second].map(({ entry }) => JSON.parse(entry).version)).toEqual([1, 2]);
    expect(first.proof).not.toBe(null);
    expect(second.proof).toBe(null);
    await integrate(tandem.services);
    expect((await receipts()).proof).not.toBe(null);
    expect((await person.call("readPostReceipt", { id: post.id, version: 3 })).body).toMatchObject({
      code: "no_receipt",
    });
    await person.deleteComment({ id: comment.id });
    await person.editPost({ id: post.id, title: "Third, deleted before it is in the log" });
    await person.createComment({ id: post.id, body: "Deleted with the post, before it is in the log" });
    await person.deletePost({ id: post.id });
    const salts = async () => ({
      pending: await tandem.storage.read
        .selectFrom("log_pending")
        .select("salt")
        .where("salt", "is not", null)
        .execute(),
      posts: await tandem.storage.read.selectFrom("post_receipts").select("salt").execute(),
    });
    expect(await salts()).toEqual({ pending: [], posts: [] });
    await integrate(tandem.services);
    const comments = await tandem.storage.read.selectFrom("comment_receipts").select("salt").execute();
    expect({ ...(await salts()), comments }).toEqual({ pending: [], posts: [], comments: [] });
    expect((await person.call("readPostReceipt", { id: post.id })).body).toMatchObject({ code: "not_found" });
    expect(Object.values(await historiesOf(tandem)).sort((a, b) => a.length - b.length)).toEqual([
      // Deleted with the post.
      [1],
      [1],
      [1, "deletion"],
      [1, 2, 3, "deletion"],
    ]);
  });

  test("imports are logged with what their origin says, and their changes too", async () => {
    await using setup = await startImports(engine);
    const { tandem, origin, admin, poll, clock } = setup;
    const articles = [{ id: "1", text: "They weave." }, { id: "2" }];
    await admin.addSource({ url: origin.show("/feed", feed(articles)) });
    await poll();
    origin.show("/feed", feed([{ id: "1", text: "They wove." }]));
    clock.now += 24 * 60 * 60 * 1000;
    await poll();
    await integrate(tandem.services);
    const { posts } = await admin.listPosts();
    const reports = await Promise.all(posts.map(({ id }) => check(tandem, id)));
    expect(reports.map(({ ok, entry }) => [ok, entry?.version, entry?.basis])).toEqual(
      expect.arrayContaining([
        [true, 2, "assumed"],
        [true, 1, "assumed"],
      ]),
    );
  });
});

describe("the log", () => {
  test("posts from before it have no receipt, until they are edited", async () => {
    await using tandem = await startTandem();
    const id = await tandem.storage.write((tx) => insertImportedPost(tx));
    const reader = tandem.as.anonymous();
    expect(await reader.call("readPostReceipt", { id })).toMatchObject({
      status: 404,
      body: { code: "no_receipt" },
    });
  });

  test("an edit while a receipt is checked is no contradiction", async () => {
    await using tandem = await startTandem();
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "Before" });
    let isEdited = false;
    const editing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!isEdited && response.url.endsWith("/receipt")) {
        isEdited = true;
        await person.editPost({ id: post.id, title: "After" });
      }
      return response;
    };
    const target = { baseUrl: tandem.baseUrl, postId: post.id, commentId: null };
    expect(await checkReceipt(target, { fetch: editing })).toMatchObject({ ok: true, entry: { version: 2 } });
    expect(isEdited).toBe(true);
  });

  test("the receipt of another version than the one shown doesn't match, even if the text does", async () => {
    await using tandem = await startTandem();
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "Over" });
    const { comment } = await person.createComment({ id: post.id, body: "Over" });
    for (const text of ["Under", "Over"]) {
      await person.editPost({ id: post.id, title: text });
      await person.editComment({ id: comment.id, body: text });
    }
    const ofFirst: typeof fetch = (input, init) =>
      fetch(String(input).replace(/receipt$/, "receipt?version=1"), init);
    for (const commentId of [null, comment.id]) {
      const target = { baseUrl: tandem.baseUrl, postId: post.id, commentId };
      expect(await checkReceipt(target)).toMatchObject({ ok: true, served: { version: 3 } });
      expect(await checkReceipt(target, { fetch: ofFirst })).toMatchObject({
        ok: false,
        results: { text: "passed", version: "failed" },
        entry: { version: 1 },
        served: { version: 3 },
      });
    }
  });

  test("a service that hides an agent behind what it shows, or names another operator, is found out", async () => {
    await using tandem = await startTandem();
    const { baseUrl } = tandem;
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    const { post } = await agent.createPost({ title: "By an agent" });
    const { comment } = await agent.createComment({ id: post.id, body: "So is this" });
    const showing =
      (said: string, instead: string): typeof fetch =>
      async (input, init) => {
        const response = await fetch(input, init);
        if (/receipt/.test(response.url) || !/json/.test(response.headers.get("content-type") ?? ""))
          return response;
        return new Response((await response.text()).replaceAll(said, instead), { status: response.status });
      };
    const hiding = showing('"authorIsAgent":true', '"authorIsAgent":false');
    const another = showing(`"operator":{"username":"${ada.user.username}"`, '"operator":{"username":"bob"');
    const profile = { baseUrl, kind: "profile", name: agent.agent.username } as const;
    for (const [target, lying] of [
      [{ baseUrl, postId: post.id, commentId: null }, hiding],
      [{ baseUrl, postId: post.id, commentId: comment.id }, hiding],
      [profile, another],
    ] as const) {
      expect(await checkReceipt(target)).toMatchObject({ ok: true });
      expect(await checkReceipt(target, { fetch: lying })).toMatchObject({
        ok: false,
        results: { author: "failed", text: "passed", provenance: "passed" },
      });
    }
  });

  test("serves only what is in the signed tree", async () => {
    await using tandem = await startTandem();
    const person = await tandem.as.human();
    for (let i = 0; i < 3; i += 1) await person.createPost({ title: `Post ${i}` });
    const status = async (path: string) => (await fetch(`${tandem.baseUrl}/log/${path}`)).status;
    expect(await status("checkpoint")).toBe(200);
    expect(await status("tile/0/000.p/1")).toBe(404);
    await integrate(tandem.services);
    for (const path of ["tile/0/000.p/4", "tile/0/000.p/1", "tile/entries/000.p/4"])
      expect(await status(path)).toBe(200);
    for (const path of [
      "0/000.p/5",
      "0/000",
      "0/001.p/1",
      "1/000.p/1",
      "entries/000",
      "x/000",
      "0/0",
      "%00",
      "0/000.p/4/",
    ])
      expect(await status(`tile/${path}`), path).toBe(404);
    const response = await fetch(`${tandem.baseUrl}/log/tile/9/9`);
    expect(await response.json()).toMatchObject({ code: "not_found" });
    expect(await latestCheckpoint(tandem.storage.read)).toMatchObject({ size: 4, origin: originOf(tandem) });
  });

  test("after a rotation the old key can't sign any more; receipts and checkpoints of both keys verify", async () => {
    await using tandem = await startTandem();
    const person = await tandem.as.human();
    const { post } = await person.createPost({ title: "Signed by the old key" });
    await integrate(tandem.services);
    const old = await check(tandem, post.id);
    const oldNote = String(old.receipt.proof?.checkpoint);
    const { kid } = await rotateKey(tandem.services);
    const keys = await keysOf(tandem);
    expect(keys.map((key) => [key.kid === kid, "exp" in key])).toEqual([
      [true, false],
      [false, true],
    ]);
    const stored = await tandem.storage.read.selectFrom("log_keys").selectAll().execute();
    expect(stored.filter(({ private_key }) => private_key !== null).map((row) => row.kid)).toEqual([kid]);
    const now = await check(tandem, post.id);
    expect(now).toMatchObject({ ok: true });
    expect(now.receipt.statement).not.toBe(old.receipt.statement);
    expect(now.verifierKeys[0]).not.toBe(old.verifierKeys[0]);
    // Who knows only the old key finds the new one in a tree that the old one signed.
    const { origin, size } = await openCheckpoint(oldNote, keys);
    const [first = ""] = old.verifierKeys;
    await openNote(oldNote, [await parseVerifierKey(first)]);
    const bundle = await (await fetch(`${tandem.baseUrl}/log/tile/entries/000.p/${size + 1}`)).text();
    expect(bundle).toContain(kid);
    expect(await verifierKey({ name: origin, publicKey: fromBase64Url(String(keys[0]?.x)) })).toBe(
      now.verifierKeys[0],
    );
  });

  test("a new key signs only a tree that announces it", async () => {
    await using tandem = await startTandem();
    const { services, storage } = tandem;
    const person = await tandem.as.human();
    await integrate(services);
    await person.createPost({ title: "Added by another process" });
    // Another process grows the tree at that moment, and had looked for entries before the key's was written.
    const growUnaware = async () => {
      const ofKeys = () => storage.read.selectFrom("log_pending").selectAll().where("kind", "=", "key");
      const rows = await ofKeys().execute();
      await storage.write((tx) => tx.deleteFrom("log_pending").where("kind", "=", "key").execute());
      await integrate(services);
      await storage.write((tx) => tx.insertInto("log_pending").values(rows).execute());
    };
    let writes = 0;
    const write: typeof storage.write = async (work) => {
      writes += 1;
      if (writes === 2) await growUnaware();
      return storage.write(work);
    };
    const { kid } = await rotateKey({ ...services, storage: { ...storage, read: storage.read, write } });
    const entries = await storage.read
      .selectFrom("log_entries")
      .select("entry")
      .orderBy("position")
      .execute();
    expect(entries.at(-1)?.entry).toContain(kid);
    expect(await latestCheckpoint(storage.read)).toMatchObject({ size: entries.length });
  });

  test("a restored database doesn't fork the log: it continues only under a new name", async () => {
    await using directory = await temporaryDirectory();
    const dataDir = join(directory.path, "data");
    const backup = join(directory.path, "backup");
    await mkdir(dataDir);
    const env = { BASE_URL: "https://example.org" };
    const start = () => startTandem("sqlite", { dataDir, env });
    let id = 0;
    {
      await using tandem = await start();
      const user = await tandem.as.human();
      id = (await user.createPost({ title: "In the backup" })).post.id;
      await integrate(tandem.services);
    }
    await cp(join(dataDir, "tandem.db"), backup);
    {
      await using tandem = await start();
      await tandem.as.human().then((user) => user.createPost({ title: "Signed, then lost" }));
      await integrate(tandem.services);
    }
    // The second time, the backup is older than the new name.
    for (const name of ["example.org/log/2", "example.org/log/3"]) {
      for (const file of ["tandem.db-wal", "tandem.db-shm"]) await rm(join(dataDir, file), { force: true });
      await cp(backup, join(dataDir, "tandem.db"));
      await using tandem = await start();
      const other = await tandem.as.human();
      const { post } = await other.createPost({ title: "In the place of the lost one" });
      await expect(integrate(tandem.services)).rejects.toThrow(LogForked);
      expect((await other.readPostReceipt({ id: post.id })).receipt.proof).toBe(null);
      expect(await restartLog(tandem.services)).toBe(name);
      for (const found of [id, post.id]) expect(await check(tandem, found)).toMatchObject({ ok: true });
      // Caches may still have the old log's tiles, so the new log's have other addresses.
      const path = name.slice(name.indexOf("/"));
      const tile = async (log: string) => (await fetch(`${tandem.baseUrl}${log}/tile/0/000.p/1`)).status;
      expect([await tile(path), await tile("/log"), await tile("/log/9")]).toEqual([200, 404, 404]);
      const checkpoints = await Promise.all(
        ["/log", path].map(async (log) => (await fetch(`${tandem.baseUrl}${log}/checkpoint`)).text()),
      );
      expect(checkpoints[0]).toBe(checkpoints[1]);
    }
  });

  test("a data directory that doesn't exist yet, as on PostgreSQL, is created to remember the state", async () => {
    await using directory = await temporaryDirectory();
    const dataDir = join(directory.path, "new");
    await using tandem = await startTandem("sqlite");
    const { services } = tandem;
    await integrate({ ...services, config: { ...services.config, dataDir } });
    const head = await latestCheckpoint(tandem.storage.read);
    expect(await readRemembered(dataDir)).toMatchObject({ origin: head?.origin, size: head?.size });
  });

  test("a changed database is found by the state that this machine remembers", async () => {
    await using directory = await temporaryDirectory();
    await using tandem = await startTandem("sqlite", { dataDir: directory.path });
    await (await tandem.as.human()).createPost({ title: "A post" });
    await integrate(tandem.services);
    const head = await latestCheckpoint(tandem.storage.read);
    const remembered = { origin: head?.origin, size: 1, rootHash: head?.rootHash };
    await writeFile(join(directory.path, "log-head.json"), JSON.stringify(remembered));
    await expect(integrate(tandem.services)).rejects.toThrow(LogForked);
    for (const damaged of ["{bad", "", "null", "{}"]) {
      await writeFile(join(directory.path, "log-head.json"), damaged);
      await expect(integrate(tandem.services)).rejects.toThrow(/log-head\.json is damaged: .* Delete it/);
    }
  });
});

function feed(articles: Parameters<typeof rssFeed>[0]) {
  return { headers: { "content-type": "application/rss+xml" }, body: rssFeed(articles) };
}

function check(
  { baseUrl }: Tandem,
  postId: number,
  commentId: number | null = null,
): Promise<CheckedReceipt> {
  return checkReceipt({ baseUrl, postId, commentId });
}

function originOf({ baseUrl }: Tandem): string {
  return `${new URL(baseUrl).host}/log`;
}

async function keysOf({ baseUrl }: Tandem): Promise<LogJwk[]> {
  return ((await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as { keys: LogJwk[] }).keys;
}
