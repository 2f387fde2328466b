import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import {
  anyCommunityTerm,
  communityTerms,
  nativePlatform,
  originNames,
  origins,
  type Platform,
} from "@tandem/contract/origins";
import { basesOf, type Provenance, type ProvenanceBasis, provenances } from "@tandem/contract/provenance";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import { invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { creatorsNamed, findCreator } from "../creators/creators.queries.ts";
import { findOwnList } from "../people/lists.ts";
import type { Mutes } from "../shared/mutes.ts";
import { postQueryOf } from "../shared/terms.ts";
import { findOwnCollection } from "./collections.ts";

/** A feed's query parameters, translated to columns. A null property filters nothing. */
export interface Selection {
  /** The account whose dismissals apply and whose `liked`, `saved` and `followedCreator` flags are shown. */
  caller: number | null;
  /** The accounts whose blocks hide posts from the caller. */
  blocksOf: readonly number[];
  /** The creators whose posts the caller mutes. */
  muted: MutedCreators | null;
  hot: boolean;
  /** When the posts were posted. Newest first then goes by that time. */
  posted: Period | null;
  /** Newest first only: ids below this one. */
  below: number;
  /** Reposts only: ids above this one. */
  above: number;
  /** Hot only: the number of rows to skip. */
  skip: number;
  take: number;
  saved: boolean;
  liked: boolean;
  /** By creators that the caller follows, and with what of the next two they follow. */
  followed: boolean;
  /** How many hashtags and communities the caller follows, if the feed has their posts. */
  followedTags: number;
  followedCommunities: number;
  /** A list of the caller's. */
  list: number | null;
  /**
   * How many creators the caller follows or the list has, if newest first the feed has their posts and the engine needs to know; at most
   * {@link MOST_MERGED}.
   */
  mergedCreators: number;
  /** A collection of the caller's. Newest first then goes by when posts were added, except in searches. */
  collection: number | null;
  /** Whether it has the reposts of followed creators, too, and those that agents or keys made. */
  reposts: boolean;
  aiReposts: boolean;
  creators: number[] | null;
  /** The post that they quote. */
  quoted: number | null;
  source: number | null;
  communities: Community[];
  /** Whether it is one community of this service. Its posts have an index of their own. */
  nativeCommunity: boolean;
  authorships: AuthorshipFilter[] | null;
  /** Whether all of these have the basis `origin`, on one platform. These few posts have an index of their own. */
  statedByOrigin: boolean;
  platform: Platform | null;
  video: boolean;
  /** Posts that their authors imported from exports: among others, alone, or not at all. */
  archived: "with" | "only" | "without";
  /** Whether posts with a content warning or sensitive media are left out. */
  hidesSensitive: boolean;
  terms: string[];
  /** The hashtags that they all have. */
  tags: string[];
}

/** A query of ids, and the JSON text from which it reads them. */
export interface MutedCreators {
  ids: RawBuilder<unknown>;
  json: string;
}

/** From a time, and before another: milliseconds since 1970. */
export interface Period {
  from: number;
  before: number;
}

/** A feed's order: newest first, unless `hot`; by the time of posting, if that is restricted. */
export const isByDate = ({ hot, posted }: Pick<Selection, "hot" | "posted">): boolean =>
  !hot && posted !== null;

export interface Community {
  key: string;
  /** The platforms that use the given community term; null for the term `community`, which covers all. */
  platforms: Platform[] | null;
}

type Viewer = Pick<Caller, "userId" | "blocksOf" | "ai" | "hidesSensitive"> &
  Partial<Pick<Caller, "followedTags" | "followedCommunities">>;
type FeedInput = Omit<Input<Operations["listPosts"]>, "platform"> & { platform?: Platform | undefined };

/**
 * Reads the parameters of `GET /api/posts`.
 *
 * @param mutes what the caller mutes in feeds
 */
export async function selectionOf(
  db: Db,
  input: FeedInput,
  caller: Viewer | null,
  mutes: Mutes | null = null,
): Promise<Selection> {
  const { author, platform = null, cursor } = input;
  const hot = input.sort === "hot";
  const preferred = preferredProvenance(input, caller);
  const authorships = authorshipsOf(
    { ...input, provenance: input.provenance ?? preferred },
    platform,
    archivedOf(input) !== "without",
  );
  const communities = communitiesOf(input);
  const take = input.limit ?? limits.page.default;
  const list = await listOf(db, input.listId, caller);
  // `creators` already implies the platform.
  const byPlatform = author === undefined ? platform : null;
  return {
    caller: caller?.userId ?? null,
    blocksOf: caller?.blocksOf ?? [],
    muted: mutedCreators(db, mutes),
    hot,
    posted: periodOf(input),
    below: hot ? MAX_ID : (cursor ?? MAX_ID),
    above: 0,
    skip: hot ? (cursor ?? 0) : 0,
    take,
    // What is in a collection is saved, so there is nothing to look up.
    saved: input.saved === 1 && input.collectionId === undefined,
    liked: input.liked === 1,
    followed: input.followed === 1,
    followedTags: input.followed === 1 ? (caller?.followedTags ?? 0) : 0,
    followedCommunities: input.followed === 1 ? (caller?.followedCommunities ?? 0) : 0,
    list,
    mergedCreators:
      hot || db.engine.newestOfDisjoint
        ? 0
        : await countMerged(db, { list, follower: input.followed === 1 ? caller : null }),
    collection: await collectionOf(db, input.collectionId, caller),
    reposts:
      input.followed === 1 &&
      input.collectionId === undefined &&
      !hot &&
      !input.q &&
      periodOf(input) === null,
    aiReposts: input.provenance !== undefined || preferred === undefined,
    // What everyone imported has no index, and no one asks for it.
    creators:
      author !== undefined ? await creatorsOf(db, author, platform) : input.imported === 1 ? [] : null,
    quoted: null,
    source: input.sourceId ?? null,
    communities,
    nativeCommunity: communities.length === 1 && platform === nativePlatform,
    authorships,
    statedByOrigin: byPlatform !== null && (authorships?.every(({ basis }) => basis === "origin") ?? false),
    platform: byPlatform,
    video: input.media === "video",
    archived: archivedOf(input),
    hidesSensitive: caller?.hidesSensitive === true && !isChosen(input),
    ...postQueryOf(input.q ?? ""),
  };
}

/**
 * Archived posts aren't news, so they are only where someone looks for them. By id they are new, so a search among all authors that goes
 * by it leaves them out.
 */
function archivedOf(input: FeedInput): Selection["archived"] {
  if (input.imported === 1) return "only";
  return isLookedFor(input) ? "with" : "without";
}

/** Whether the caller marked the posts, or searches in an order that suits old posts. */
function isLookedFor(input: FeedInput): boolean {
  const { saved, liked, collectionId, q, author, sort } = input;
  const isMarked = saved === 1 || liked === 1 || collectionId !== undefined;
  const isSearched = (q ?? "").trim() !== "" && (sort === "hot" || author !== undefined);
  return isMarked || isSearched || periodOf(input) !== null;
}

function mutedCreators(db: Db, mutes: Mutes | null): MutedCreators | null {
  if (!mutes || mutes.creators.length === 0) return null;
  const json = idsJson(mutes.creators);
  return { json, ids: idRows(db, json) };
}

function periodOf({ since, until }: Pick<FeedInput, "since" | "until">): Period | null {
  if (since === undefined && until === undefined) return null;
  if (since !== undefined && until !== undefined && until < since)
    throw invalid("until", "`until` must not be before `since`.");
  return {
    from: since === undefined ? 0 : Date.parse(since),
    before: until === undefined ? MAX_ID : Date.parse(until) + DAY,
  };
}

async function creatorsOf(db: Db, author: string, platform: Platform | null): Promise<number[]> {
  if (platform === null) return creatorsNamed(db, author);
  const creator = await findCreator(db, platform, author);
  return creator === undefined ? [] : [creator];
}

async function listOf(db: Db, id: number | undefined, caller: Viewer | null): Promise<number | null> {
  if (id === undefined || !caller) return null;
  return (await findOwnList(db, id, { caller })).id;
}

/** The most that are counted: of so many creators, one post each is more than any page or search takes first. */
const MOST_MERGED = 200;

async function countMerged(
  db: Db,
  { list, follower }: { list: number | null; follower: Viewer | null },
): Promise<number> {
  if (list === null && !follower) return 0;
  const [row] = await (list === null
    ? follows(db, { of: follower?.userId ?? 0 })
    : members(db, { of: list }));
  return Number(row?.count ?? 0);
}

const counter = (table: "follows" | "list_members", column: "user_id" | "list_id") =>
  prepared<{ of: number }, { count: number }>((db, { of }) =>
    sql<{ count: number }>`
      select count(*) as count from (
        select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${of} limit ${sql.lit(MOST_MERGED)}
      ) as counted`.compile(db),
  );
const follows = counter("follows", "user_id");
const members = counter("list_members", "list_id");

async function collectionOf(db: Db, id: number | undefined, caller: Viewer | null): Promise<number | null> {
  if (id === undefined || !caller) return null;
  return (await findOwnCollection(db, id, { caller })).id;
}

function communitiesOf(input: FeedInput): Community[] {
  return communityTerms.flatMap((term) => {
    const name = input[term];
    if (name === undefined) return [];
    const using = originNames.filter((origin) => origins[origin].communityTerm === term);
    return [{ key: name.toLowerCase(), platforms: term === anyCommunityTerm ? null : using }];
  });
}

/** Whether the caller chose the posts: they saved or liked them, or ask for one author's. */
export function isChosen({
  saved,
  liked,
  author,
  collectionId,
}: Pick<FeedInput, "saved" | "liked" | "author" | "collectionId">): boolean {
  return saved === 1 || liked === 1 || author !== undefined || collectionId !== undefined;
}

/** Whether the feed is searched, in bounded batches, rather than read in its order. */
export const isSearch = ({ terms, tags, posted }: Selection): boolean =>
  terms.length > 0 || tags.length > 0 || posted !== null;

/**
 * The provenance filter from the caller's preferences. Doesn't apply to saved or liked posts, to one author's posts or with `basis`:
 * there the caller already chose.
 */
function preferredProvenance(input: FeedInput, caller: Viewer | null): string | undefined {
  if (caller?.ai.posts !== "hide" || isChosen(input) || input.basis !== undefined) return undefined;
  return provenances.filter((provenance) => provenance !== "ai_generated").join();
}

/** A provenance with one basis, or with any. */
export interface AuthorshipFilter {
  provenance: Provenance;
  basis: ProvenanceBasis | null;
}

/**
 * The pairs of provenance and basis that the parameters select. Null if they select everything. Pairs that the given
 * platform can't have, because only native or only imported posts have them, are left out: looking for them would scan all
 * others. The newest posts of a provenance have an index of their own; all else is one range for each pair. On another
 * platform, pairs are always told apart: few of its posts say anything.
 */
function authorshipsOf(
  { provenance, basis, sort }: Pick<FeedInput, "provenance" | "basis" | "sort">,
  platform: Platform | null,
  hasArchived: boolean,
): AuthorshipFilter[] | null {
  const chosen = provenances.filter((value) => isListed(provenance, value));
  if (basis === undefined && chosen.length === provenances.length) return null;
  if (basis === undefined && sort !== "hot" && !isImportedFrom(platform))
    return chosen.map((value) => ({ provenance: value, basis: null }));
  return chosen.flatMap((value) =>
    basesOf[value]
      .filter((one) => isListed(basis, one) && (platform === null || isPossible(one, platform, hasArchived)))
      .map((one) => ({ provenance: value, basis: one })),
  );
}

const isImportedFrom = (platform: Platform | null) => platform !== null && platform !== nativePlatform;

function isListed(list: string | undefined, value: string): boolean {
  return list?.split(",").includes(value) ?? true;
}

function isPossible(basis: ProvenanceBasis, platform: Platform, hasArchived: boolean): boolean {
  // Nothing is known of what people imported from exports.
  if (basis === "assumed") return hasArchived || platform !== nativePlatform;
  return (basis === "origin") === (platform !== nativePlatform);
}
