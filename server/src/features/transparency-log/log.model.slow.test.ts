import { type CheckedReceipt, checkReceipt, type ReceiptTarget } from "@tandem/client/check-receipt";
import { MINUTE } from "@tandem/contract/durations";
import { fromBase64Url } from "@tandem/contract/log/bytes";
import { type CurrentKind, type LogEntry, loggedKinds } from "@tandem/contract/log/entry";
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
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { integrate } from "./integrate.ts";
import { rotateKey } from "./rotate.ts";

const acts = [
  "post",
  "agentPost",
  "edit",
  "keyEdit",
  "comment",
  "editComment",
  "delete",
  "deleteComment",
  "sell",
  "keyEditProduct",
  "deleteProduct",
  "editProfile",
  "agentEditProfile",
  "goLive",
  "endLive",
  "describeCommunity",
] as const;
type Act = (typeof acts)[number];

/** What is published now: each post, each comment with its post, and the rest by kind and name. */
interface Published {
  posts: { id: number; byAgent: boolean }[];
  comments: { id: number; postId: number }[];
  current: { kind: CurrentKind; name: string }[];
  versions: number;
  deletions: number;
}

describe.each(engines)("the transparency log on %s", (engine) => {
  test("random histories: every receipt verifies, every checkpoint continues those before, deletion leaves no salt", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent();
    const key = await tandem.as.key(["posts:write", "comments:write", "products:write"], person);
    const published: Published = { posts: [], comments: [], current: [], versions: 0, deletions: 0 };
    const publish = (kind: CurrentKind, name: string | number) => {
      const isNew = !published.current.some((one) => one.kind === kind && one.name === String(name));
      if (isNew) published.current.push({ kind, name: String(name) });
    };
    const unpublish = (kind: CurrentKind, name: string | number) => {
      published.current = published.current.filter((one) => one.kind !== kind || one.name !== String(name));
      published.deletions += 1;
    };
    publish("profile", agent.agent.username);
    await person.createCommunity({ name: "weaving" });
    publish("community", "weaving");
    published.versions += 2;
    const seen: Checkpoint[] = [];
    let n = 0;
    const pick = <T>(list: T[], at: number) => list[at % list.length];
    const perform = async (act: Act, at: number): Promise<void> => {
      n += 1;
      const post = pick(published.posts, at);
      const comment = pick(published.comments, at);
      const product = pick(ofKind(published, "product"), at);
      const { username } = person.user;
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
      } else if (act === "sell") {
        const { product } = await person.createProduct({
          title: `Pot ${n}`,
          url: `https://example.org/${n}`,
        });
        publish("product", product.id);
      } else if (act === "keyEditProduct" && product) {
        await key.editProduct({ id: Number(product.name), price: n, category: "ö" });
      } else if (act === "deleteProduct" && product) {
        await person.deleteProduct({ id: Number(product.name) });
        return unpublish("product", product.name);
      } else if (act === "editProfile") {
        await person.editProfile({ bio: at % 2 ? `Bio "${n}"` : null, links: [`https://example.org/${n}`] });
        publish("profile", username);
      } else if (act === "agentEditProfile") {
        await agent.editProfile({ displayName: `Agent ${n}` });
      } else if (act === "goLive") {
        await person.startLive({ title: `Live ${n}` });
        publish("live", username);
      } else if (act === "endLive" && ofKind(published, "live").length > 0) {
        await person.endLive();
        return unpublish("live", username);
      } else if (act === "describeCommunity") {
        await person.editCommunity({ name: "weaving", description: `On looms ${n}` });
      } else return;
      published.versions += 1;
    };
    const step = fc.tuple(fc.constantFrom(...acts), fc.nat(50));
    const histories = fc.sample(fc.array(step, { minLength: 10, maxLength: 25 }), { numRuns: 5, seed: 7 });
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

  if (runsOnceTests(engine))
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
        return Object.entries(report.results).flatMap(([name, result]) =>
          result === "failed" ? [name] : [],
        );
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
      for (let i = 0; i < 15; i += 1) {
        await person.createPost({ title: `Post ${i}` });
        await person.editProfile({ bio: `Bio ${i}` });
      }
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
    expect(new Set(entries.map((entry) => JSON.stringify(entry))).size).toBe(121);
    const versions = Array.from({ length: 15 }, (_, i) => i + 1);
    for (const { user } of people)
      expect(
        entries.flatMap((entry) => (entry.kind === "profile" && entry.id === user.id ? [entry.version] : [])),
      ).toEqual(versions);
    expect(await currentSalts(tandem)).toHaveLength(4);
    const products = await Promise.all(
      people.map((person) => person.createProduct({ title: "Pot", url: "https://example.org/" })),
    );
    await Promise.allSettled([
      integrate(tandem.services),
      ...people.flatMap((person, i) => [
        person.deleteAccount({ password: "correct horse" }),
        person.editProduct({ id: products[i]?.product.id ?? 0, title: "Kettle" }),
        person.startLive({ title: "On air" }),
        person.editProfile({ bio: "Last words" }),
      ]),
    ]);
    await integrate(tandem.services);
    expect(await tandem.storage.read.selectFrom("users").select("id").execute()).toEqual([]);
    expect(await currentSalts(tandem)).toEqual([]);
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

function ofKind({ current }: Published, wanted: CurrentKind) {
  return current.filter(({ kind }) => kind === wanted);
}

async function expectAllVerify({ baseUrl }: Tandem, published: Published): Promise<void> {
  const { posts, comments, current } = published;
  const targets: ReceiptTarget[] = [
    ...posts.map(({ id }) => ({ baseUrl, postId: id, commentId: null })),
    ...comments.map(({ id, postId }) => ({ baseUrl, postId, commentId: id })),
  ];
  for (const target of targets) {
    const report: CheckedReceipt = await checkReceipt(target);
    expect(report.results, JSON.stringify(target)).toEqual({ ...all("passed"), media: "skipped" });
  }
  for (const item of current) {
    const { ok, results } = await checkReceipt({ baseUrl, ...item });
    expect([ok, results.inclusion, results.media], JSON.stringify(item)).toEqual([
      true,
      "passed",
      item.kind === "product" ? "passed" : "skipped",
    ]);
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
  expect(count(...loggedKinds)).toBe(versions);
  expect(count("deletion")).toBe(deletions);
  const keys = entries.flatMap((entry) => (entry.kind === "key" ? [entry.key] : []));
  // The newest first.
  expect((await keysOf(tandem)).map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid).reverse());
  expect(keys.map(({ x }) => fromBase64Url(x).length)).toEqual([32, 32]);
}

function currentSalts({ storage }: { storage: Pick<Tandem["storage"], "read"> }) {
  return storage.read.selectFrom("current_receipts").select("kind").where("salt", "is not", null).execute();
}

async function expectOnlyNeededSalts(
  { storage: { read } }: Tandem,
  { posts, comments, current }: Published,
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
  expect((await currentSalts({ storage: { read } })).map(({ kind }) => kind).sort()).toEqual(
    current.map(({ kind }) => kind).sort(),
  );
  expect(await read.selectFrom("log_pending").selectAll().execute()).toEqual([]);
}
