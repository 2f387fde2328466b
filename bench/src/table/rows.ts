import type { Request } from "../requests.ts";
import { COMMENTS, type People } from "./people.ts";

/** What a row of the table is to reach: a share of its baseline, or at most so many milliseconds of CPU time per request. */
export type Goal = { ratio: number } | { milliseconds: number };

export interface Row {
  name: string;
  requests: Request[];
  /** What it is compared with: `node:http` sending the same bytes, or SQLite alone repeating the same statements. */
  baseline: "bare" | "post" | "like";
  goal: Goal | null;
  /** Whether nothing is committed while it is measured. Otherwise someone likes one of the newest posts 20 times a second. */
  quiet?: true;
}

/** Words of the demo data: in every fifth post, and in one of three thousand. */
const COMMON = "about";
const RARE = "collimators";

const page = "/api/posts?limit=50";

/** What one process does all day, on any world. */
export function commonRows(people: People): Row[] {
  const { readers, followers, posts, discussed } = people;
  const as = (cookies: string[], path: (i: number) => string): Request[] =>
    cookies.map((cookie, i) => ({ path: path(i), headers: { cookie } }));
  const id = (ids: number[], i: number) => ids[i % ids.length];
  return [
    { name: "/healthz", requests: [{ path: "/healthz" }], baseline: "bare", goal: null, quiet: true },
    {
      name: "an operation without SQL",
      requests: [{ path: "/api/auth/registration" }],
      baseline: "bare",
      goal: null,
      quiet: true,
    },
    {
      name: "page of 50, signed in",
      requests: as(readers, () => page),
      baseline: "bare",
      goal: { ratio: 0.25 },
    },
    {
      name: "the same reader again",
      requests: as(readers.slice(0, 1), () => page),
      baseline: "bare",
      goal: { ratio: 0.5 },
      quiet: true,
    },
    { name: "page of 50, anonymous", requests: [{ path: page }], baseline: "bare", goal: { ratio: 0.6 } },
    {
      name: "hot page of 50, signed in",
      requests: as(readers, () => `${page}&sort=hot`),
      baseline: "bare",
      goal: { ratio: 0.25 },
    },
    {
      name: "30 comments",
      requests: as(readers, (i) => `/api/posts/${id(discussed, i)}/comments?limit=${COMMENTS}`),
      baseline: "bare",
      goal: { ratio: 0.3 },
    },
    {
      name: "one post",
      requests: as(readers, (i) => `/api/posts/${id(posts, i)}`),
      baseline: "bare",
      goal: { ratio: 0.45 },
    },
    {
      name: "followed page of 50, 50 follows",
      requests: as(followers, () => `${page}&followed=1`),
      baseline: "bare",
      goal: { milliseconds: 0.3 },
    },
    ...searches(people).map((row) => ({ ...row, goal: null })),
    {
      name: "create a post",
      requests: newPosts(people, 40_000),
      baseline: "post",
      goal: { ratio: 0.7 },
    },
    { name: "like", requests: likes(people, 8), baseline: "like", goal: { ratio: 0.8 } },
  ];
}

/** Their goals are for a million posts. */
export function searches({ readers }: People): Row[] {
  const search = (name: string, word: string, milliseconds: number): Row => ({
    name,
    requests: readers.map((cookie) => ({ path: `/api/posts?q=${word}`, headers: { cookie } })),
    baseline: "bare",
    goal: { milliseconds },
  });
  return [search("search, a common word", COMMON, 1), search("search, a rare word", RARE, 2)];
}

/**
 * Likes of one post after the other by 16 people, no post twice by the same, in the order of `writers` from this one on. The first eight
 * like and unlike meanwhile (`commits`).
 */
export function likes(people: People, from: number): Request[] {
  return Array.from({ length: 16 }, (_, i) =>
    people.ownPosts.map((id) => write(people, from + i, `/api/posts/${id}/like`)),
  ).flat();
}

/** A like of one of the newest posts, and its opposite. */
export function commits(people: People): Request[] {
  return people.posts.slice(0, 8).flatMap((id, i) => {
    const like = write(people, i, `/api/posts/${id}/like`);
    return [like, { ...like, method: "DELETE" as const }];
  });
}

/** Everything at once, mostly reads. */
export function mixture(people: People): Request[] {
  const rows = commonRows(people).filter(({ name }) => name !== "/healthz");
  return Array.from({ length: 20_000 }, (_, i) => {
    const { requests } = rows[i % rows.length] ?? { requests: [] };
    return requests[Math.floor(i / rows.length) % requests.length] ?? { path: page };
  });
}

function write({ writers }: People, i: number, path: string, body?: object): Request {
  const headers = { cookie: writers[i % writers.length]?.cookie ?? "" };
  return { method: "POST", path, headers, ...(body && { body }) };
}

/** Posts by 64 people, no two alike. */
export function newPosts(people: People, amount: number): Request[] {
  return Array.from({ length: amount }, (_, i) => write(people, i, "/api/posts", postBody(i)));
}

/** A post of 200 words or so, unlike all others. */
export function postBody(i: number): { title: string; body: string } {
  return { title: `Written as number ${i}`, body: `${i} ${"Some words on looms and engines. ".repeat(30)}` };
}
