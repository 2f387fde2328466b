import { type OriginPlatform, originNames } from "@tandem/contract/origins";
import { createAccounts } from "./accounts.ts";
import { createCommunities } from "./communities.ts";
import type { Gallery } from "./gallery.ts";
import type { Account, Community, Source } from "./model.ts";
import { allSources, platformStyles } from "./platforms.ts";
import { Random } from "./random.ts";
import { type Span, spanOf } from "./time.ts";

/** What the demo data follows from. */
export interface Plan {
  posts: number;
  seed: string | number;
  /** When the last post is created, in milliseconds since 1970. */
  end: number;
}

/** Everything that exists before the first post and stays in memory while posts are created. */
export interface World {
  /** The random generator of the part with this name. */
  random(...part: (string | number)[]): Random;
  posts: number;
  span: Span;
  accounts: Account[];
  people: Account[];
  agents: Account[];
  /** An account that shows no other feature. */
  admin: Account;
  communities: Community[];
  sources: Source[];
  sourcesOf: Record<OriginPlatform, Source[]>;
  /** Imported posts per platform, in proportion. */
  shares: Record<OriginPlatform, number>;
  /** The maximum number of authors per platform. */
  externalAuthors: number;
  /** Null if posts only refer to pictures that don't exist. */
  gallery: Gallery | null;
}

const MIN_ACCOUNTS = 20;

/** Random generators by the names of the parts that use them. */
export function randomFor({ seed, posts, end }: Plan): World["random"] {
  return (...part) => new Random(seed, posts, end, ...part);
}

export function createWorld(plan: Plan, gallery: Gallery | null): World {
  const { posts, end } = plan;
  const random = randomFor(plan);
  const span = spanOf(posts, end);
  // Ten times the posts come from about six times the accounts.
  const count = Math.max(MIN_ACCOUNTS, Math.round(posts ** 0.75));
  const accounts = createAccounts(random("people"), span, count, gallery);
  const people = accounts.filter(({ isAgent }) => !isAgent);
  const agents = accounts.filter(({ isAgent }) => isAgent);
  const operators = operatorsOf(agents);
  const sources = allSources();
  return {
    random,
    posts,
    span,
    accounts,
    people,
    agents,
    admin: people.slice(1).find((person) => !operators.has(person)) ?? (accounts[0] as Account),
    communities: createCommunities(accounts, span),
    sources,
    sourcesOf: perPlatform((platform) => sources.filter((source) => source.platform === platform)),
    shares: perPlatform((platform) => platformStyles[platform].share),
    externalAuthors: count,
    gallery,
  };
}

export function operatorsOf(agents: readonly Account[]): Set<Account | null> {
  return new Set(agents.map(({ operator }) => operator));
}

function perPlatform<T>(toValue: (platform: OriginPlatform) => T): Record<OriginPlatform, T> {
  const entries = originNames.map((platform) => [platform, toValue(platform)]);
  return Object.fromEntries(entries) as Record<OriginPlatform, T>;
}
