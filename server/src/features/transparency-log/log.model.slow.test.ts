import { type CheckedReceipt, checkReceipt } from "@tandem/client/check-receipt";
import { MINUTE } from "@tandem/contract/durations";
import { fromBase64Url } from "@tandem/contract/log/bytes";
import type { LogEntry } from "@tandem/contract/log/entry";
import { leafHash, rootOf } from "@tandem/contract/log/merkle";
import type { Checkpoint } from "@tandem/contract/log/note";
import {
  areConsistent,
  checkReceipt as check,
  type LogJwk,
  openCheckpoint,
} from "@tandem/contract/log/receipt";
import { entriesIn, entriesPath, hashesIn, TiledTree, tileOf, tilePath } from "@tandem/contract/log/tiles";
import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { integrate } from "./integrate.ts";
import { rotateKey } from "./rotate.ts";

type Act = "post" | "agentPost" | "edit" | "keyEdit" | "comment" | "editComment" | "delete" | "deleteComment";
const acts: Act[] = [
  "post",
  "agentPost",
  "edit",
  "keyEdit",
  "comment",
  "editComment",
  "delete",
  "deleteComment",
];

/** What is published now: each post, and each comment with its post. */
interface Published {
  posts: { id: number; byAgent: boolean }[];
  comments: { id: number; postId: number }[];
  versions: number;
  deletions: number;
}

describe.each(engines)("the transparency log on %s", (engine) => {
  test("random histories: every receipt verifies, every checkpoint continues those before, deletion leaves no salt", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent();
    const key = await tandem.as.key(["posts:write", "comments:write"], person);
    const published: Published = { posts: [], comments: [], versions: 0, deletions: 0 };
    const seen: Checkpoint[] = [];
    let n = 0;
    const pick = <T>(list: T[], at: number) => list[at % list.length];
    const perform = async (act: Act, at: number): Promise<void> => {
      n += 1;
      const post = pick(published.posts, at);
      const comment = pick(published.comments, at);
      if (act === "post" || act === "agentPost") {
        const as = act === "post" ? person : agent;
        const { post } = await as.createPost({
          title: `Post ${n}`,
          body: at % 2 ? `Text "${n}" \u2028 ö` : null,
        });
        published.posts.push({ id: post.id, byAgent: act === "agentPost" });
      } else if ((act === "edit" || act === "keyEdit") && post) {
        const own = act === "edit" ? person : key;
        await (post.byAgent ? agent : own).editPost({ id: post.id, title: `Edit ${n}` });
      } else if (act === "comment" && post) {
        const { comment } = await person.createComment({ id: post.id, body: `Comment ${n}` });
        published.comments.push({ id: comment.id, postId: post.id });
      } else if (act === "editComment" && comment) {
        await person.editComment({ id: comment.id, body: `Edited comment ${n}` });
      } else if (act === "delete" && post) {
        await (post.byAgent ? agent : person).deletePost({ id: post.id });
        published.posts = published.posts.filter(({ id }) => id !== post.id);
        published.comments = published.comments.filter(({ postId }) => postId !== post.id);
        published.deletions += 1;
        return;
      } else if (act === "deleteComment" && comment) {
        await person.deleteComment({ id: comment.id });
        published.comments = published.comments.filter(({ id }) => id !== comment.id);
        published.deletions += 1;
        return;
      } else return;
      published.versions += 1;
    };
    const step = fc.tuple(fc.constantFrom(...acts), fc.nat(50));
    const histories = fc.sample(fc.array(step, { minLength: 5, maxLength: 15 }), { numRuns: 5, seed: 7 });
    for (const history of histories) {
      for (const [act, at] of history) await perform(act, at);
      await integrate(tandem.services);
      await expectAllVerify(tandem, published);
      seen.push(await checkpoint(tandem));
      const latest = seen.at(-1) as Checkpoint;
      for (const earlier of seen) expect(await areConsistent(earlier, latest, readTile(tandem))).toBe(true);
    }
    await rotateKey(tandem.services);
    await expectAllVerify(tandem, published);
    await expectEntriesAddUp(tandem, published);
    await expectOnlyNeededSalts(tandem, published);
  });

  test("every byte counts: a changed text, name, mark, file, entry, path, checkpoint or signature fails", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent();
    const { post } = await agent.createPost({ title: "As it was", body: "Said by a machine" });
    // Several leaves, so that there is a path.
    for (const title of ["One", "Two", "Three"]) await agent.createPost({ title });
    const pending = await checkReceipt({ baseUrl: tandem.baseUrl, postId: post.id, commentId: null });
    expect(pending.results).toMatchObject({ statement: "passed", text: "passed", inclusion: "pending" });
    await integrate(tandem.services);
    const found = await checkReceipt({ baseUrl: tandem.baseUrl, postId: post.id, commentId: null });
    expect(found).toMatchObject({ ok: true, results: { ...all("passed"), media: "skipped" } });
    const { receipt, served } = found;
    expect(receipt.operator).not.toBe(null);
    const sources = { keys: await keysOf(tandem) };
    const failing = async (changed: Partial<typeof receipt>, shown: object = {}) => {
      const report = await check(
        { ...receipt, ...changed },
        { ...served, ...shown } as typeof served,
        sources,
      );
      return Object.entries(report.results).flatMap(([name, result]) => (result === "failed" ? [name] : []));
    };
    expect(await failing({})).toEqual([]);
    const { content } = served;
    expect(await failing({}, { content: { ...content, title: "As it wasn't" } })).toEqual(["text"]);
    expect(await failing({}, { content: { ...content, body: "Said by a machine " } })).toEqual(["text"]);
    expect(await failing({}, { content: { ...content, url: "https://example.org/" } })).toEqual(["text"]);
    expect(await failing({}, { provenance: "human", provenanceBasis: "declared" })).toEqual(["provenance"]);
    expect(await failing({}, { author: "someone" })).toEqual(["author"]);
    expect(await failing({ operator: null })).toEqual(["author"]);
    expect(await failing({ operator: "someone" })).toEqual(["author"]);
    expect(await failing({}, { id: post.id + 1 })).toContain("statement");
    const { proof } = receipt;
    if (!proof) throw new Error("no proof");
    for (const text of ["entry", "salt", "statement"] as const)
      for (let at = 0; at < receipt[text].length; at += 17)
        expect(await failing({ [text]: changedAt(receipt[text], at) }), `${text} ${at}`).not.toEqual([]);
    for (let at = 0; at < proof.checkpoint.length; at += 11) {
      const tampered = { ...proof, checkpoint: changedAt(proof.checkpoint, at) };
      expect(await failing({ proof: tampered }), `checkpoint ${at}`).toContain("inclusion");
    }
    for (const [i, hash] of proof.path.entries())
      for (let at = 0; at < 43; at += 14) {
        const path = proof.path.with(i, changedAt(hash, at));
        expect(await failing({ proof: { ...proof, path } }), `path ${i} ${at}`).toEqual(["inclusion"]);
      }
    expect(await failing({ proof: { ...proof, index: proof.index + 1 } })).toEqual(["inclusion"]);
    // The service promised another log than the one it shows.
    const elsewhere = { ...sources, latestCheckpoint: "example.org/log\n" };
    const { results } = await check({ ...receipt, proof: null }, served, elsewhere);
    expect(results).toMatchObject({ statement: "failed", inclusion: "pending" });
    // The promise to add the entry was not kept.
    const time = Date.parse(String(found.entry?.time));
    const later = async (ms: number) =>
      (await check({ ...receipt, proof: null }, served, { ...sources, now: time + ms })).results.inclusion;
    expect([await later(10 * MINUTE), await later(10 * MINUTE + 1)]).toEqual(["pending", "failed"]);
  });

  test("several writers and several integrators: every entry once, and one history", async () => {
    await using tandem = await startTandem(engine);
    const people = await Promise.all(Array.from({ length: 4 }, () => tandem.as.human()));
    const write = async (person: Person) => {
      for (let i = 0; i < 15; i += 1) await person.createPost({ title: `Post ${i}` });
    };
    let isWriting = true;
    const integrating = [1, 2].map(async () => {
      while (isWriting) await integrate(tandem.services);
    });
    await Promise.all(people.map(write));
    isWriting = false;
    await Promise.all(integrating);
    await integrate(tandem.services);
    const entries = await readEntries(tandem);
    expect(entries.filter(({ kind }) => kind === "post")).toHaveLength(60);
    expect(new Set(entries.map((entry) => JSON.stringify(entry))).size).toBe(61);
    await expectTreeOf(tandem);
  });
});

function all<T>(result: T) {
  const names = ["statement", "text", "media", "author", "provenance", "inclusion", "consistency", "version"];
  return Object.fromEntries(names.map((name) => [name, result]));
}

function changedAt(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
}

async function expectAllVerify({ baseUrl }: Tandem, { posts, comments }: Published): Promise<void> {
  const targets = [
    ...posts.map(({ id }) => ({ baseUrl, postId: id, commentId: null })),
    ...comments.map(({ id, postId }) => ({ baseUrl, postId, commentId: id })),
  ];
  for (const target of targets) {
    const report: CheckedReceipt = await checkReceipt(target);
    expect(report.results, JSON.stringify(target)).toEqual({ ...all("passed"), media: "skipped" });
  }
}

async function keysOf({ baseUrl }: Tandem): Promise<LogJwk[]> {
  const response = await fetch(`${baseUrl}/.well-known/jwks.json`);
  expect(response.headers.get("content-type")).toBe("application/jwk-set+json");
  return ((await response.json()) as { keys: LogJwk[] }).keys;
}

async function checkpoint(tandem: Tandem): Promise<Checkpoint> {
  const response = await fetch(`${tandem.baseUrl}/log/checkpoint`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  return openCheckpoint(await response.text(), await keysOf(tandem));
}

async function fetchTile({ baseUrl }: Tandem, path: string) {
  const response = await fetch(`${baseUrl}/log/${path}`);
  expect(response.status, path).toBe(200);
  expect(response.headers.get("cache-control")).toContain("immutable");
  return new Uint8Array(await response.arrayBuffer());
}

const readTile = (tandem: Tandem) => async (tile: Parameters<typeof tilePath>[0]) =>
  hashesIn(await fetchTile(tandem, tilePath(tile)), tile.width);

async function entryBytes(tandem: Tandem) {
  const { size } = await checkpoint(tandem);
  const bundles = [];
  for (let number = 0; number * 256 < size; number += 1)
    bundles.push(entriesIn(await fetchTile(tandem, entriesPath(tileOf(size, 0, number)))));
  return bundles.flat();
}

async function readEntries(tandem: Tandem): Promise<LogEntry[]> {
  return (await entryBytes(tandem)).map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
}

/** As an auditor would: downloads every entry and computes the root from them alone. */
async function expectTreeOf(tandem: Tandem): Promise<void> {
  const { size, root } = await checkpoint(tandem);
  const entries = await entryBytes(tandem);
  expect(entries).toHaveLength(size);
  expect(await rootOf(await Promise.all(entries.map((entry) => leafHash(entry))))).toEqual(root);
  expect(await new TiledTree(size, readTile(tandem)).root()).toEqual(root);
}

async function expectEntriesAddUp(tandem: Tandem, { versions, deletions }: Published): Promise<void> {
  await expectTreeOf(tandem);
  const entries = await readEntries(tandem);
  const count = (...kinds: string[]) => entries.filter(({ kind }) => kinds.includes(kind)).length;
  expect(count("post", "comment")).toBe(versions);
  expect(count("deletion")).toBe(deletions);
  const keys = entries.flatMap((entry) => (entry.kind === "key" ? [entry.key] : []));
  // The newest first.
  expect((await keysOf(tandem)).map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid).reverse());
  expect(keys.map(({ x }) => fromBase64Url(x).length)).toEqual([32, 32]);
}

async function expectOnlyNeededSalts(
  { storage: { read } }: Tandem,
  { posts, comments }: Published,
): Promise<void> {
  const ofPosts = await read.selectFrom("post_receipts").select("post_id as id").distinct().execute();
  const ofComments = await read
    .selectFrom("comment_receipts")
    .select("comment_id as id")
    .distinct()
    .execute();
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);
  expect(ids(ofPosts)).toEqual(ids(posts));
  expect(ids(ofComments)).toEqual(ids(comments));
  expect(await read.selectFrom("log_pending").selectAll().execute()).toEqual([]);
}
