import { communityTerms, type OriginPlatform, originNames, origins } from "@tandem/contract/origins";
import { mediaTypes, type Post } from "@tandem/contract/post-resources";
import { provenanceBases, provenances } from "@tandem/contract/provenance";
import type { Caller, Person } from "@tandem/testing/callers";
import { insertImportedPost, insertLocalPost, insertSource } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hotRank } from "./hot.ts";
import { removePosts } from "./remove-posts.ts";

/* Compares feeds of generated posts, users and queries with a naive model of the rules. */

const platforms: OriginPlatform[] = ["reddit", "lemmy", "youtube"];
const authors = ["ada", "Zed"];
const words = ["tea", "Teapot", "POT", "été"];
const communities = ["Cats", "dogs"];
const callers = ["nobody", "ada", "bob"] as const;
type CallerName = (typeof callers)[number];
const times = [0, 1, 2, 25, 49].map((hours) => Date.UTC(2026, 0, 1, hours));
const days = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"];

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const optional = <T>(values: readonly T[]) => fc.option(some(values), { freq: 2 });

const postArbitrary = fc.record({
  platform: optional(platforms),
  author: some(authors),
  community: optional(communities),
  source: optional([0, 1]),
  provenance: some(provenances),
  mediaType: some(mediaTypes),
  title: fc.subarray(words).map((list) => list.join(" ")),
  body: fc.option(fc.subarray(words).map((list) => list.join(" "))),
  score: some([0, 0, 1, 9]),
  postedAt: some(times),
});
type NewPost = typeof postArbitrary extends fc.Arbitrary<infer T> ? T : never;

const actArbitrary = fc.record({
  caller: some(["ada", "bob"] as const),
  post: fc.nat(19),
  act: some([
    "likePost",
    "savePost",
    "dismissPost",
    "createComment",
    "follow",
    "follow",
    "addToList",
    "addToCollection",
  ] as const),
});
type Act = typeof actArbitrary extends fc.Arbitrary<infer T> ? T : never;

const filters = {
  author: some(["ADA", "zed"]),
  platform: some(["native", ...platforms] as const),
  sourceId: some([0, 1]),
  ...Object.fromEntries(communityTerms.map((term) => [term, some(["CATS", "dogs"])])),
  provenance: fc.subarray([...provenances], { minLength: 1 }).map((list) => list.join(",")),
  basis: fc.subarray([...provenanceBases], { minLength: 1 }).map((list) => list.join(",")),
  media: fc.constant("video" as const),
  since: some(days),
  until: some(days),
  saved: fc.constant(1 as const),
  liked: fc.constant(1 as const),
  followed: fc.constant(1 as const),
  listId: fc.constant(1 as const),
  collectionId: fc.constant(1 as const),
  q: fc
    .subarray([...words, "TEA", "ot", "é", "absent"], { minLength: 1, maxLength: 2 })
    .map((list) => list.join(" ")),
};
const queryArbitrary = fc
  .subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 3 })
  .chain((chosen) =>
    fc.record({
      caller: some(callers),
      limit: fc.integer({ min: 1, max: 6 }),
      sort: fc.option(fc.constant("hot" as const), { nil: undefined }),
      filters: fc.record(
        Object.fromEntries(chosen.map((name) => [name, filters[name] as fc.Arbitrary<unknown>])),
      ),
    }),
  );
type Query = typeof queryArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** Who chose which creators, as `caller platform author`. */
type Chosen = Record<"follow" | "addToList", Set<string>>;

interface Known extends Omit<NewPost, "platform" | "source"> {
  id: number;
  platform: string;
  sourceId: number | null;
  rank: number;
  liked: Set<string>;
  saved: Set<string>;
  /** When it was added to each collection. */
  added: Map<number, number>;
  dismissed: Set<string>;
  comments: number;
}

describe.each(engines)("any feed on %s", (engine) => {
  let tandem: Tandem;
  let callersByName: Record<CallerName, Caller> & { ada: Person };
  let sources: number[];
  let lists: Record<"ada" | "bob", number>;
  let collections: Record<"ada" | "bob", number>;

  beforeAll(async () => {
    tandem = await startTandem(engine);
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    callersByName = { nobody: tandem.as.anonymous(), ada, bob };
    for (const name of communities) await ada.createCommunity({ name: name.toLowerCase() });
    for (const name of communities) await bob.joinCommunity({ name: name.toLowerCase() });
    const [adas, bobs] = await Promise.all([ada, bob].map((who) => who.createList({ name: "Read" })));
    lists = { ada: Number(adas?.list.id), bob: Number(bobs?.list.id) };
    const [adasKept, bobsKept] = await Promise.all(
      [ada, bob].map((who) => who.createCollection({ name: "Kept" })),
    );
    collections = { ada: Number(adasKept?.collection.id), bob: Number(bobsKept?.collection.id) };
    sources = [
      await insertSource(tandem.storage, "reddit", "post"),
      await insertSource(tandem.storage, "lemmy", "two"),
    ];
  });
  afterAll(() => tandem.stop());

  test("equals the naive model, page by page", async () => {
    const scenarios = fc.record({
      posts: fc.array(postArbitrary, { minLength: 1, maxLength: 20 }),
      acts: fc.array(actArbitrary, { maxLength: 40 }),
      queries: fc.array(queryArbitrary, { minLength: 40, maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ posts, acts, queries }) => {
        await deleteAll();
        const known = await addPosts(posts);
        const chosen = await performActs(known, acts);
        await Promise.all(queries.map((query) => compare(known, chosen, query)));
      }),
      { numRuns: 12 },
    );
  });

  async function deleteAll(): Promise<void> {
    await tandem.storage.write(async (tx) => {
      await removePosts(tx, sql<number>`select id from posts`);
      await tx.deleteFrom("creators").where("user_id", "is", null).execute();
      await tx.deleteFrom("follows").execute();
      await tx.deleteFrom("list_members").execute();
    });
  }

  function addPosts(posts: NewPost[]): Promise<Known[]> {
    return tandem.storage.write(async (tx) => {
      const known: Known[] = [];
      for (const { platform, source, ...post } of posts) {
        const sourceId = source === null ? null : Number(sources[source]);
        const native = platform === null;
        // Names of communities of this service are in lowercase.
        const community = native ? (post.community?.toLowerCase() ?? null) : post.community;
        const stored = { ...post, community, ...(sourceId !== null && { sourceId }) };
        // Only ada's account writes native posts.
        const author = native ? "ada" : post.author;
        const id = native
          ? await insertLocalPost(tx, callersByName.ada.user, stored)
          : await insertImportedPost(tx, { ...stored, platform });
        const [liked, saved, dismissed] = [new Set<string>(), new Set<string>(), new Set<string>()];
        known.push({
          ...post,
          author,
          id,
          platform: platform ?? "native",
          sourceId,
          rank: 0,
          comments: 0,
          liked,
          saved,
          added: new Map(),
          dismissed,
        });
      }
      return known;
    });
  }

  async function performActs(known: Known[], acts: Act[]): Promise<Chosen> {
    const chosen: Chosen = { follow: new Set(), addToList: new Set() };
    await Promise.all(
      acts.map(async ({ caller, post, act }) => {
        const target = known[post % known.length];
        if (!target) return;
        const { id, author, platform } = target;
        if (act === "follow" || act === "addToList") {
          const response = await callersByName[caller].call(act, {
            ...{ platform, author },
            ...(act === "addToList" && { id: lists[caller] }),
          });
          if (response.status === 200) chosen[act].add(`${caller} ${platform} ${author.toLowerCase()}`);
          return;
        }
        if (act === "addToCollection") {
          await callersByName[caller].call(act, { id: collections[caller], postId: id });
          target.saved.add(caller);
          return;
        }
        await callersByName[caller].call(act, act === "createComment" ? { id, body: "Said" } : { id });
        if (act === "createComment") target.comments += 1;
        else
          target[({ likePost: "liked", savePost: "saved", dismissPost: "dismissed" } as const)[act]].add(
            caller,
          );
      }),
    );
    // The acts ran at the same time.
    const added = await tandem.storage.read.selectFrom("collection_posts").selectAll().execute();
    for (const post of known) {
      for (const { id, collection_id } of added.filter(({ post_id }) => post_id === post.id))
        post.added.set(collection_id, id);
      post.rank = hotRank({
        score: post.score + post.liked.size,
        comments: post.comments,
        postedAt: post.postedAt,
      });
    }
    return chosen;
  }

  async function compare(known: Known[], chosen: Chosen, { caller, limit, sort, filters }: Query) {
    const { listId, collectionId, ...params } = filters as Record<string, string | number>;
    if (caller === "nobody" && (params.saved || params.liked || params.followed || listId || collectionId))
      return;
    const sourceId = params.sourceId === undefined ? undefined : sources[Number(params.sourceId)];
    const isChosen = (act: keyof Chosen, post: Known) =>
      chosen[act].has(`${caller} ${post.platform} ${post.author.toLowerCase()}`);
    const followed = (post: Known) => isChosen("follow", post);
    // Both have joined all communities of this service, and so follow them.
    const isInFollowed = (post: Known) =>
      followed(post) || (post.platform === "native" && post.community !== null);
    const [since, until] = [String(params.since ?? ""), String(params.until ?? "9")];
    if (until < since) return;
    const byDate = sort !== "hot" && (params.since !== undefined || params.until !== undefined);
    const own = caller === "nobody" ? null : { list: lists[caller], collection: collections[caller] };
    const addedAt = ({ added }: Known) => added.get(own?.collection ?? 0) ?? 0;
    const byAddition = collectionId && sort !== "hot" && !byDate && params.q === undefined;
    const dayOf = ({ postedAt }: Known) => new Date(postedAt).toISOString().slice(0, 10);
    const expected = known
      .filter((post) => dayOf(post) >= since && dayOf(post) <= until)
      .filter((post) => !post.dismissed.has(caller) && matchesFilters({ ...params, sourceId }, post))
      .filter((post) => !listId || isChosen("addToList", post))
      .filter((post) => !collectionId || addedAt(post) > 0)
      .filter((post) => !params.liked || post.liked.has(caller))
      .filter((post) => (!params.saved || post.saved.has(caller)) && (!params.followed || isInFollowed(post)))
      .sort(
        (a, b) =>
          (sort === "hot" && b.rank - a.rank) ||
          (byDate && b.postedAt - a.postedAt) ||
          (byAddition && addedAt(b) - addedAt(a)) ||
          b.id - a.id,
      );
    const query = {
      ...{ ...params, sourceId, limit, sort, listId: listId && own?.list },
      collectionId: collectionId && own?.collection,
    };
    const { posts, pages } = await pageThrough(callersByName[caller], query);
    expect(posts.map(summary), JSON.stringify(query)).toEqual(
      expected.map((post) => ({
        id: post.id,
        score: post.score + post.liked.size,
        likeCount: post.liked.size,
        commentCount: post.comments,
        liked: post.liked.has(caller),
        saved: post.saved.has(caller),
        followedCreator: followed(post),
      })),
    );
    expect(pages).toBe(Math.max(1, Math.ceil(expected.length / limit)));
  }
});

function matchesFilters(params: Record<string, string | number | undefined>, post: Known): boolean {
  const text = `${post.title}\n${post.body ?? ""}`.toUpperCase();
  const unsaid = post.provenance === "human" ? "assumed" : "origin";
  const basis = post.platform === "native" ? "declared" : unsaid;
  return (
    (params.author === undefined || post.author.toLowerCase() === String(params.author).toLowerCase()) &&
    (params.platform === undefined || post.platform === params.platform) &&
    (params.sourceId === undefined || post.sourceId === params.sourceId) &&
    (params.media === undefined || post.mediaType === params.media) &&
    isListed(params.provenance, post.provenance) &&
    isListed(params.basis, basis) &&
    communityTerms.every(
      (term) => params[term] === undefined || isInCommunity(term, String(params[term]), post),
    ) &&
    String(params.q ?? "")
      .toUpperCase()
      .split(" ")
      .every((word) => text.includes(word))
  );
}

function isListed(list: string | number | undefined, value: string): boolean {
  return list === undefined || String(list).split(",").includes(value);
}

function isInCommunity(term: string, name: string, { community, platform }: Known): boolean {
  const using = originNames.filter((origin) => origins[origin].communityTerm === term);
  const usesTerm = term === "community" || using.some((origin) => origin === platform);
  return usesTerm && community?.toLowerCase() === name.toLowerCase();
}

async function pageThrough(caller: Caller, query: object): Promise<{ posts: Post[]; pages: number }> {
  const posts: Post[] = [];
  for (let pages = 1, cursor: number | null | undefined; ; pages++) {
    const page = await caller.listPosts({ ...query, ...(cursor != null && { cursor }) });
    posts.push(...page.posts);
    cursor = page.nextCursor;
    if (cursor === null) return { posts, pages };
    if (pages > 25) throw new Error("paging does not end");
  }
}

function summary({ id, score, likeCount, commentCount, liked, saved, followedCreator }: Post) {
  return { id, score, likeCount, commentCount, liked, saved, followedCreator };
}
