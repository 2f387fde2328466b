import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyPlace, runCommand } from "@tandem/testing/command";
import { dump } from "@tandem/testing/dump";
import { drawPicture } from "@tandem/testing/pictures";
import { type EngineName, engines, enginesWithStores, type StoreName } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { type Environment, readConfig } from "../config.ts";
import { openLog } from "../features/transparency-log/head.ts";
import { deleteOrphans } from "../media/delete-orphans.ts";
import { createSchema } from "../storage/migrate.ts";
import { openReplaceable, openStorage } from "../storage/open.ts";
import { bytesOf, createArchive, readArchive } from "./backup/archive.ts";
import { MANIFEST, MANIFEST_SUM, type Manifest } from "./backup/manifest.ts";
import { manifestSumLine } from "./backup/verify.ts";

/** An instance with some of everything that a person makes, and a backup of it. */
async function backedUp(engine: EngineName, store: StoreName = "disk") {
  const place = await emptyPlace(engine, store);
  const tandem = await place.serve();
  const ada = await tandem.as.human();
  const agent = await tandem.as.agent(ada);
  const { post } = await ada.createPost({ title: '😀 שלום\u200f "quoted"\\', image: await picture() });
  const { post: gone } = await ada.createPost({ title: "Deleted" });
  await ada.deletePost({ id: gone.id });
  await ada.savePost({ id: post.id });
  for (let i = 0; i < 5; i++) await agent.createComment({ id: post.id, body: `Row ${i}` });
  await tandem.stop();
  expect(await place.run("backup", place.file)).toMatchObject({
    code: 0,
    error: expect.stringContaining("rows"),
  });
  return { ...place, gone: gone.id };
}

/** Every row, without what a restore resets. */
async function rowsIn(env: Environment) {
  const storage = await openStorage(readConfig(env));
  await storage.write((tx) => tx.updateTable("quota_windows").set({ position: 0 }).execute());
  const { kysely_migration, kysely_migration_lock, ...rows } = await dump(storage);
  await storage.close();
  // The tables behind SQLite's search index.
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !name.includes("_search")));
}

const picture = async () => new Blob([new Uint8Array(await drawPicture())]);

/** Writes a copy of a backup with another manifest. */
async function withManifest(file: string, copy: string, change: (manifest: Manifest) => void) {
  const archive = createArchive(copy, new Date());
  const add = (name: string, bytes: Buffer) => archive.add(name, bytes.length, [bytes]);
  for await (const entry of readArchive(file)) {
    const bytes = await bytesOf(entry, 2 ** 30);
    if (entry.name === MANIFEST_SUM) continue;
    if (entry.name !== MANIFEST) {
      await add(entry.name, bytes);
      continue;
    }
    const manifest = JSON.parse(bytes.toString());
    change(manifest);
    const text = JSON.stringify(manifest);
    await add(MANIFEST, Buffer.from(text));
    const sum = createHash("sha256").update(text).digest("hex");
    await add(MANIFEST_SUM, Buffer.from(manifestSumLine(sum)));
  }
  await archive.close();
}

/** The files of a tar: where their headers are, and their sizes. */
function* entriesIn(tar: Buffer) {
  for (let header = 0; tar[header] !== 0; ) {
    const size = Number.parseInt(tar.toString("latin1", header + 124, header + 136), 8);
    yield { header, size };
    header += 512 * (1 + Math.ceil(size / 512));
  }
}

describe.each(enginesWithStores)("a backup of %s with media on %s", (engine, store) => {
  test("is made while the service writes, and restored with all data and media", async () => {
    await using here = await emptyPlace(engine, store);
    await using there = await emptyPlace(engine, store);
    await using tandem = await here.serve();
    const ada = await tandem.as.human();
    const { post } = await ada.createPost({ title: "Plain weave", image: await picture() });
    let running = true;
    const writing = (async () => {
      for (let i = 0; running; i++) await ada.createComment({ id: post.id, body: `Comment ${i}` });
    })();
    await openLog(tandem.services);
    const made = await here.run("backup", here.file);
    running = false;
    await writing;
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Backed up .* media files to .*\nVerified/),
    });
    expect((await stat(here.file)).mode & 0o777).toBe(0o600);

    const restored = await there.run("restore", here.file);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("run `tandem log restart`") });
    expect(await there.run("log", "restart")).toMatchObject({
      code: 0,
      out: expect.stringContaining("/log/2"),
    });
    await using again = await there.serve();
    // The same session is still valid.
    const adaAgain = again.as.with(ada.options.headers ?? {});
    const { post: found } = await adaAgain.readPost({ id: post.id });
    const { comments } = await adaAgain.listComments({ id: post.id, limit: 100 });
    expect(found.commentCount).toBe(comments.length);
    const media = await Promise.all([tandem, again].map(({ baseUrl }) => fetch(baseUrl + post.mediaUrl)));
    const [original, copy] = await Promise.all(media.map((response) => response.arrayBuffer()));
    expect(copy).toEqual(original);
    expect(copy?.byteLength).toBeGreaterThan(100);
  });

  test("has every file that it names, although pictures are deleted meanwhile", async () => {
    await using here = await emptyPlace(engine, store);
    await using there = await emptyPlace(engine, store);
    await using tandem = await here.serve();
    const ada = await tandem.as.human();
    const ids: number[] = [];
    for (let i = 0; i < 8; i++)
      ids.push((await ada.createPost({ title: `Weave ${i}`, image: await picture() })).post.id);
    const deleting = (async () => {
      for (const id of ids) {
        await ada.deletePost({ id });
        await deleteOrphans(tandem.services);
      }
    })();
    const made = await here.run("backup", here.file);
    await deleting;
    expect(made).toMatchObject({ code: 0, error: expect.not.stringContaining("missing") });
    expect(await there.run("restore", here.file)).toMatchObject({ code: 0 });
    expect(await there.run("check")).toMatchObject({ code: 0 });
  });

  test("can be restored into the other engine, row by row", async () => {
    await using here = await backedUp(engine, store);
    await using there = await emptyPlace(engines.find((name) => name !== engine) ?? engine);
    expect(await there.run("restore", here.file)).toMatchObject({ code: 0 });
    expect(await rowsIn(there.env)).toEqual(await rowsIn(here.env));
    await using again = await there.serve();
    const { post } = await (await again.as.human()).createPost({ title: "Loom" });
    expect(post.id).toBe(here.gone + 1);
    expect((await again.as.anonymous().listPosts({ q: "שלום" })).posts).toHaveLength(1);
  });
});

describe.each(engines)("a restore on %s", (engine) => {
  test("replaces data only with --replace, only without a running service, and only as a whole", async () => {
    await using here = await backedUp("sqlite");
    await using there = await emptyPlace(engine);
    const old = await there.serve();
    await (await old.as.human("old_account")).createPost({ title: "Old" });
    const refusal = (text: string) => ({ code: 1, out: "", error: expect.stringContaining(text) });
    expect(await there.run("restore", here.file, "--replace")).toMatchObject(
      refusal("stop the service first"),
    );
    await old.stop();
    const before = await rowsIn(there.env);
    expect(await there.run("restore", here.file)).toMatchObject(refusal("Add --replace"));
    // Fails in the middle, after the tables were created.
    const wrong = `${here.file}.wrong`;
    await withManifest(here.file, wrong, ({ tables }) => {
      for (const table of tables) table.columns = table.columns.filter((name) => name !== "like_count");
    });
    expect(await there.run("restore", wrong, "--replace")).toMatchObject(refusal("doesn't match its schema"));
    expect(await rowsIn(there.env)).toEqual(before);
    expect(await there.run("restore", here.file, "--replace")).toMatchObject({ code: 0 });
    expect(await rowsIn(there.env)).toEqual(await rowsIn(here.env));
    const left = (await readdir(String(there.env.DATA_DIR))).filter((name) => name.includes("restoring"));
    expect(left).toEqual([]);
  });

  test("takes a backup of an earlier version, which the next start migrates", async () => {
    await using here = await emptyPlace(engine);
    const database = await openReplaceable(readConfig(here.env));
    await database.replace((tx) => createSchema(tx, "0033-proofs-and-ends"));
    await database.close();
    expect(await here.run("backup", here.file)).toMatchObject({ code: 0 });
    await using there = await emptyPlace(engine);
    expect(await there.run("restore", here.file)).toMatchObject({ code: 0 });
    await using tandem = await there.serve();
    expect((await tandem.as.anonymous().listPosts()).posts).toEqual([]);
  });
});

test("a damaged, incomplete or later backup is refused before anything changes", async () => {
  await using here = await backedUp("sqlite");
  await using there = await emptyPlace("sqlite");
  const bytes = await readFile(here.file);
  const broken = join(here.path, "broken.tar");
  const expectRefusal = async (text: RegExp) => {
    expect(await there.run("restore", broken)).toMatchObject({
      code: 1,
      out: "",
      error: expect.stringMatching(text),
    });
    expect(await readdir(there.path)).toEqual([]);
  };
  for (const { header, size } of entriesIn(bytes)) {
    // Its name, and its content.
    for (const at of [header, header + 512 + (size >> 1)]) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      await writeFile(broken, copy);
      await expectRefusal(/^The backup is damaged: /m);
    }
  }
  for (const length of [0, 100, 512, bytes.length >> 1, bytes.length - 2048]) {
    await writeFile(broken, bytes.subarray(0, length));
    await expectRefusal(/damaged/);
  }
  await writeFile(broken, "not a backup at all".repeat(1000));
  await expectRefusal(/damaged/);
  await withManifest(here.file, `${broken}.later`, (manifest) => {
    manifest.schema = "9999-later";
  });
  expect(await there.run("restore", `${broken}.later`)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/later version of Tandem \(schema 9999-later\)/),
  });
  expect(await readdir(there.path)).toEqual([]);
});

test("a backup is never made of a database that isn't there, nor over a file that is", async () => {
  await using here = await emptyPlace("sqlite");
  expect(await here.run("backup", here.file)).toEqual({
    code: 1,
    out: "",
    error: `There is no database ${join(String(here.env.DATA_DIR), "tandem.db")}: check DATA_DIR, or start the service once, which creates it.\n`,
  });
  expect(await readdir(here.path)).toEqual([]);
  await writeFile(here.file, "");
  expect(await here.run("backup", here.file)).toMatchObject({
    code: 1,
    error: expect.stringContaining("exists already"),
  });
  expect(await here.run("backup")).toMatchObject({ code: 2 });
  expect(await here.run("restore", `${here.file}.missing`)).toMatchObject({
    code: 1,
    error: expect.stringContaining("There is no file"),
  });
});

test("a backup is never made of a PostgreSQL database without data of Tandem", async () => {
  await using here = await emptyPlace("postgres");
  // Every server has this database, and it is empty.
  const env = { ...here.env, DATABASE_URL: String(new URL("/postgres", here.env.DATABASE_URL)) };
  expect(await runCommand(env, "backup", here.file)).toMatchObject({
    code: 1,
    out: "",
    error: "The configured database has no data of Tandem.\n",
  });
  expect(await readdir(here.path)).toEqual([]);
});

test("a backup that can't be written says why", async () => {
  await using here = await backedUp("sqlite");
  const file = join(here.path, "missing", "tandem.backup");
  expect(await here.run("backup", file)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/can't be written: ENOENT.*\n$/),
  });
});

test("a damaged database is not backed up", async () => {
  await using here = await backedUp("sqlite");
  await rm(here.file);
  const path = join(String(here.env.DATA_DIR), "tandem.db");
  const bytes = await readFile(path);
  bytes.fill(0xaa, bytes.length >> 1, (bytes.length >> 1) + 20_000);
  await writeFile(path, bytes);
  expect(await here.run("backup", here.file)).toMatchObject({
    code: 1,
    error: expect.stringContaining("damaged"),
  });
  expect(await readdir(here.path)).toEqual(["data"]);
});
