import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import {
  anyCommunityTerm,
  communityTerms,
  originNames,
  origins,
  type Platform,
} from "@tandem/contract/origins";
import { type Provenance, provenances } from "@tandem/contract/resources";
import { MAX_ID } from "@tandem/contract/schema";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";
import { creatorsNamed, findCreator } from "../creators/creators.queries.ts";
import { termsOf } from "../shared/terms.ts";

/** What a feed's query asks for, in the tables' own terms. A property that is null narrows nothing. */
export interface Selection {
  /** Whose flags and dismissals count. */
  caller: number | null;
  /** The accounts whose blocks keep posts from the caller. */
  blocksOf: readonly number[];
  hot: boolean;
  /** Newest first: only ids below. */
  below: number;
  /** Hot: so many rows are passed over. */
  skip: number;
  take: number;
  saved: boolean;
  followed: boolean;
  creators: number[] | null;
  source: number | null;
  communities: Community[];
  provenances: Provenance[] | null;
  platform: Platform | null;
  video: boolean;
  terms: string[];
}

export interface Community {
  key: string;
  /** The platforms whose word for a community was used; null for the word that all share. */
  platforms: Platform[] | null;
}

type Viewer = Pick<Caller, "userId" | "blocksOf" | "ai">;
type FeedInput = Input<Operations["listPosts"]>;

/** Reads the parameters of `GET /api/posts`. */
export async function selectionOf(db: Db, input: FeedInput, caller: Viewer | null): Promise<Selection> {
  const { author, platform = null, cursor } = input;
  const hot = input.sort === "hot";
  return {
    caller: caller?.userId ?? null,
    blocksOf: caller?.blocksOf ?? [],
    hot,
    below: hot ? MAX_ID : (cursor ?? MAX_ID),
    skip: hot ? (cursor ?? 0) : 0,
    take: input.limit ?? limits.page.default,
    saved: input.saved === 1,
    followed: input.followed === 1,
    creators: author === undefined ? null : await creatorsOf(db, author, platform),
    source: input.sourceId ?? null,
    communities: communitiesOf(input),
    provenances: provenancesOf(input.provenance ?? wanted(input, caller)),
    // An author of a platform is of no other.
    platform: author === undefined ? platform : null,
    video: input.media === "video",
    terms: termsOf(input.q ?? ""),
  };
}

async function creatorsOf(db: Db, author: string, platform: Platform | null): Promise<number[]> {
  if (platform === null) return creatorsNamed(db, author);
  const one = await findCreator(db, platform, author);
  return one === undefined ? [] : [one];
}

function communitiesOf(input: FeedInput): Community[] {
  return communityTerms.flatMap((term) => {
    const name = input[term];
    if (name === undefined) return [];
    const using = originNames.filter((origin) => origins[origin].communityTerm === term);
    return [{ key: name.toLowerCase(), platforms: term === anyCommunityTerm ? null : using }];
  });
}

/**
 * What a reader wants who doesn't ask for it this time. Whoever saved a post, or asks for one author's, chose that
 * already.
 */
function wanted({ saved, author }: FeedInput, caller: Viewer | null): string | undefined {
  if (caller?.ai.posts !== "hide" || saved === 1 || author !== undefined) return undefined;
  return provenances.filter((one) => one !== "ai_generated").join();
}

/** All three together narrow nothing. */
function provenancesOf(list: string | undefined): Provenance[] | null {
  if (list === undefined) return null;
  const named = new Set(list.split(","));
  const chosen = provenances.filter((one) => named.has(one));
  return chosen.length === provenances.length ? null : chosen;
}
