import { type OriginPlatform, originNames } from "@tandem/contract/origins";
import type { Gallery } from "./gallery.ts";
import { population } from "./people.ts";
import type { Account, Source } from "./plan.ts";
import { Random } from "./random.ts";
import { allSources, customs } from "./sources.ts";
import { type Span, spanOf } from "./time.ts";

/** Everything that exists before the first post and stays in memory while posts are created. */
export interface World {
  /** Chance of a part of this world, by the part's name. */
  random(...part: (string | number)[]): Random;
  posts: number;
  span: Span;
  accounts: Account[];
  people: Account[];
  agents: Account[];
  sources: Source[];
  sourcesOf: Record<OriginPlatform, Source[]>;
  shares: Record<OriginPlatform, number>;
  /** How many authors each origin has at most. */
  externalAuthors: number;
  /** What posts show; null where pictures are only spoken of. */
  gallery: Gallery | null;
}

const FEWEST_ACCOUNTS = 20;

export interface Plan {
  seed: string | number;
  posts: number;
  at: number;
}

/** Chance of a part of the world that is so planned. */
export function chanceOf({ seed, posts, at }: Plan): World["random"] {
  return (...part) => new Random(seed, posts, at, ...part);
}

export function createWorld(plan: Plan, gallery: Gallery | null): World {
  const { posts, at } = plan;
  const random = chanceOf(plan);
  const span = spanOf(posts, at);
  // A place ten times as busy has some six times the people.
  const crowd = Math.max(FEWEST_ACCOUNTS, Math.round(posts ** 0.75));
  const accounts = population(random("people"), span, crowd, gallery);
  const sources = allSources();
  return {
    random,
    posts,
    span,
    accounts,
    people: accounts.filter((one) => !one.isAgent),
    agents: accounts.filter((one) => one.isAgent),
    sources,
    sourcesOf: perOrigin((platform) => sources.filter((source) => source.platform === platform)),
    shares: perOrigin((platform) => customs[platform].share),
    externalAuthors: crowd,
    gallery,
  };
}

function perOrigin<T>(of: (platform: OriginPlatform) => T): Record<OriginPlatform, T> {
  const entries = originNames.map((platform) => [platform, of(platform)]);
  return Object.fromEntries(entries) as Record<OriginPlatform, T>;
}
