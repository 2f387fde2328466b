import type { Community } from "@tandem/contract/communities";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";
import { isPrefixOf } from "../shared/prefix.ts";
import { asCommunity, type FoundCommunity, foundColumns } from "./communities.queries.ts";

type Filters = Omit<Input<Operations["listCommunities"]>, "limit" | "cursor" | "fields">;

/** Who asks, and when. */
interface Asking {
  caller: Pick<Caller, "userId"> | null;
  /** Milliseconds since 1970. */
  now: number;
}

interface Window {
  skip: number;
  take: number;
}

/** Where a community is in the list, and its row. */
interface Entry {
  at: number | string;
  id: number;
}

/**
 * A page of communities. Those of this service and the imported ones are each read along an index in the list's order, as
 * many as the page can need, and merged here.
 */
export async function listPage(
  db: Db,
  filters: Filters,
  asking: Asking,
  { skip, take }: Window,
): Promise<Community[]> {
  const { platform, mine, q } = filters;
  const wantsNative = platform === undefined || platform === nativePlatform;
  const wantsImported = platform !== nativePlatform && mine !== 1;
  const count = skip + take;
  const [native, imported] = await Promise.all([
    wantsNative ? nativeRows(db, filters, asking, count) : [],
    wantsImported ? importedRows(db, filters, count) : [],
  ]);
  const merged = [...native, ...imported];
  return merged
    .toSorted(q ? byName : latestFirst)
    .slice(skip, count)
    .map(({ community }) => community);
}

interface Listed extends Entry {
  community: Community;
}

const latestFirst = (a: Entry, b: Entry) => Number(b.at) - Number(a.at) || b.id - a.id;
const byName = (a: Entry, b: Entry) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id);

async function nativeRows(db: Db, filters: Filters, asking: Asking, count: number): Promise<Listed[]> {
  const { rows } = await nativeQuery(db, filters, asking, count).execute(db);
  return rows.map((row) => ({ at: row.at, id: row.id, community: asCommunity(row) }));
}

/** The communities of this service, in the list's order. */
export function nativeQuery(
  db: Db,
  { sort = "active", mine, q }: Filters,
  { caller, now }: Asking,
  count: number,
) {
  const time = sql.ref(sort === "active" ? "c.active_at" : "c.created_at");
  const key = nameKey(db);
  const [at, order] = q ? [sql`c.name`, key] : [time, sql`${time} desc, c.id desc`];
  const conditions = [
    sql`c.closed_at is null`,
    ...(q ? [isPrefixOf(q, key)] : []),
    ...(mine === 1 ? [sql`m.role <> 'banned'`] : []),
  ];
  const joined = mine === 1 ? sql`join` : sql`left join`;
  return sql<FoundCommunity & { at: number | string }>`
    select ${foundColumns(now)}, ${at} as at
    from communities c ${joined} community_members m on m.community_id = c.id and m.user_id = ${caller?.userId ?? 0}
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${count}`;
}

/** With the collation of its index. */
const nameKey = (db: Db) => sql<string>`(c.name ${db.engine.binaryCollation})`;

interface ImportedRow extends Entry {
  platform: OriginPlatform;
  community: string;
  posts: number;
  newest_at: number | null;
}

async function importedRows(db: Db, filters: Filters, count: number): Promise<Listed[]> {
  const { rows } = await importedQuery(db, filters, count).execute(db);
  return rows.map((row) => ({ at: row.at, id: row.id, community: asImported(row) }));
}

/** Communities of sources that have had posts. Of several sources of one community, the first stands for all. */
export function importedQuery(db: Db, { sort = "active", q, platform }: Filters, count: number) {
  const isSame = sql`${communityKey(db, "o")} = ${communityKey(db, "s")} and o.platform = s.platform and o.imported > 0`;
  const time = sort === "active" ? sql`coalesce(s.newest_at, s.created_at)` : sql`s.created_at`;
  const key = communityKey(db, "s");
  const [at, order] = q ? [key, key] : [time, sql`${time} desc, s.id desc`];
  const conditions = [
    sql`s.community is not null and s.imported > 0`,
    sql`not exists (select 1 from sources o where ${isSame} and o.id < s.id)`,
    ...(q ? [isPrefixOf(q.replace(/^#/, ""), key)] : []),
    ...(platform === undefined ? [] : [sql`s.platform = ${platform}`]),
  ];
  return sql<ImportedRow>`
    select s.id, s.platform, s.community, s.newest_at, ${at} as at,
      (select sum(o.imported) from sources o where ${isSame}) as posts
    from sources s where ${sql.join(conditions, sql` and `)} order by ${order} limit ${count}`;
}

function communityKey(db: Db, source: string): RawBuilder<string> {
  return sql<string>`lower(${sql.ref(`${source}.community`)} ${db.engine.binaryCollation})`;
}

function asImported({ platform, community, posts, newest_at }: ImportedRow): Community {
  return {
    ...{ platform, name: community, description: null, rules: null, pictureUrl: null, pictureIsAi: false },
    ...{ aiPolicy: null, memberCount: null, postCount: Number(posts), closed: false, role: "visitor" },
    createdAt: null,
    activeAt: newest_at === null ? null : new Date(newest_at).toISOString(),
  };
}

/** Names of communities of this service that begin with this text. */
export async function communityNamesLike(db: Db, text: string): Promise<string[]> {
  const key = nameKey(db);
  const { rows } = await sql<{ name: string }>`
    select c.name from communities c where ${isPrefixOf(text, key)} and c.closed_at is null
    order by ${key} limit ${limits.suggestions}`.execute(db);
  return rows.map(({ name }) => name);
}
