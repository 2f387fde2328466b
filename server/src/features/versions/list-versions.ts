import { limits } from "@tandem/contract/limits";
import type { PostVersion } from "@tandem/contract/versions";
import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { Context } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { EarlierVersion } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { type FirstVersion, makingOf, type VersionColumns, type Versioned } from "./keep-versions.ts";

/** The current version, in the form of earlier ones. */
export type CurrentVersion = Omit<EarlierVersion, "content" | "cleared_at" | "cleared_by">;

/** The current version of a row. */
export function currentVersion(columns: VersionColumns, first: FirstVersion): CurrentVersion {
  const { provenance, basis } = first;
  return { version: columns.version, provenance, basis, ...makingOf(columns, first) };
}

export interface VersionList {
  kind: Versioned;
  id: number;
  current: CurrentVersion;
  /** The account of the author; null for imported posts and deleted accounts. */
  authorId: number | null;
  limit?: number | undefined;
  cursor?: number | undefined;
}

/** The fields that versions of posts and comments have in common. */
export type VersionFacts = Pick<
  PostVersion,
  | "version"
  | "current"
  | "madeAt"
  | "madeBy"
  | "key"
  | "provenance"
  | "provenanceBasis"
  | "notKept"
  | "cleared"
>;

interface ListedVersion {
  facts: VersionFacts;
  /** JSON; null for the current version and if it was cleared. */
  content: string | null;
}

/** A page of versions, latest first, beginning with the current one, and the cursor of the next page. */
export async function listVersions(
  { caller, read, nextPage }: Pick<Context, "caller" | "read" | "nextPage">,
  { kind, id, current, authorId, limit = limits.page.default, cursor }: VersionList,
): Promise<{ page: ListedVersion[]; nextCursor: number | null }> {
  const before = Math.min(cursor ?? Number.POSITIVE_INFINITY, current.version);
  const begins = cursor === undefined || cursor > current.version;
  // One more than the page, to see whether it is the last and which number comes next.
  const earlier = await earlierVersions[kind](read, { id, before, take: limit + 1 });
  const rows = begins
    ? [{ ...current, content: null, cleared_at: null, cleared_by: null }, ...earlier]
    : earlier;
  const page = rows.slice(0, limit);
  const names = await keyNames(read, caller, authorId, page);
  const next = rows.length > limit ? (page.at(-1)?.version ?? null) : null;
  return {
    page: page.map((row, i) => ({
      content: row.content,
      facts: {
        version: row.version,
        current: row.version === current.version,
        madeAt: new Date(row.made_at).toISOString(),
        madeBy: row.made_by,
        key: names && row.key_id !== null ? { id: row.key_id, name: names.get(row.key_id) ?? null } : null,
        provenance: row.provenance,
        provenanceBasis: row.basis,
        notKept: row.version - (rows[i + 1]?.version ?? 0) - 1,
        cleared:
          row.cleared_at !== null && row.cleared_by !== null
            ? { at: new Date(row.cleared_at).toISOString(), by: row.cleared_by }
            : null,
      },
    })),
    nextCursor: nextPage(next),
  };
}

interface Range {
  id: number;
  before: number;
  take: number;
}

const columns = sql`version, made_at, made_by, key_id, provenance, basis, content, cleared_at, cleared_by`;

export const earlierVersions = {
  post: prepared<Range, EarlierVersion>((db, { id, before, take }) =>
    sql<EarlierVersion>`select ${columns} from post_versions
      where post_id = ${id} and version < ${before} order by version desc limit ${take}`.compile(db),
  ),
  comment: prepared<Range, EarlierVersion>((db, { id, before, take }) =>
    sql<EarlierVersion>`select ${columns} from comment_versions
      where comment_id = ${id} and version < ${before} order by version desc limit ${take}`.compile(db),
  ),
};

/** The names of the keys that made these versions. Null if the caller isn't the person responsible for their author. */
async function keyNames(
  db: Db,
  caller: Caller | null,
  authorId: number | null,
  rows: readonly CurrentVersion[],
): Promise<Map<number, string> | null> {
  if (caller === null || caller.byAi || authorId === null) return null;
  if (authorId !== caller.userId && !(await operates(db, caller.userId, authorId))) return null;
  const ids = [...new Set(rows.flatMap(({ key_id }) => key_id ?? []))];
  if (ids.length === 0) return new Map();
  const keys = await db
    .selectFrom("keys")
    .select(["id", "name"])
    .where("id", "in", ids)
    .where("owner_id", "=", caller.userId)
    .execute();
  return new Map(keys.map(({ id, name }) => [id, name]));
}

async function operates(db: Db, operatorId: number, agentId: number): Promise<boolean> {
  const agent = await db
    .selectFrom("users")
    .select("id")
    .where("id", "=", agentId)
    .where("operator_id", "=", operatorId)
    .executeTakeFirst();
  return agent !== undefined;
}
