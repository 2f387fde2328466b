import type { ReportCase, TargetKind } from "@tandem/contract/moderation";
import { sql } from "kysely";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { excerptOf } from "./decide.ts";

/** What was reported: of which kind, and its id. */
export interface Named {
  kind: TargetKind;
  target_id: number;
}

export interface Described {
  target: ReportCase["target"];
  removed: boolean;
}

interface Found {
  id: number;
  username: string | null;
  says: string | null;
  removed: number;
}

/** How these targets are shown, in their order; three queries at most, however many they are. */
export async function describe(db: Db, named: readonly Named[]): Promise<Described[]> {
  const found = { post: new Map(), comment: new Map(), account: new Map() } as Record<
    TargetKind,
    Map<number, Found>
  >;
  for (const kind of new Set(named.map((one) => one.kind))) {
    const ids = named.filter((one) => one.kind === kind).map((one) => one.target_id);
    for (const row of await finders[kind](db, ids)) found[kind].set(row.id, row);
  }
  return named.map(({ kind, target_id: id }) => {
    const row = found[kind].get(id);
    const says = row?.says ?? null;
    const excerpt = says === null ? null : excerptOf(says);
    return { target: { kind, id, username: row?.username ?? null, excerpt }, removed: row?.removed === 1 };
  });
}

const finders: Record<TargetKind, (db: Db, ids: number[]) => Promise<Found[]>> = {
  async post(db, ids) {
    const { rows } = await sql<Found>`
      select p.id, u.username, p.fragment as says, p.removed
      from posts p
        left join removed_posts r on r.post_id = p.id
        join creators c on c.id = coalesce(r.creator_id, p.creator_id)
        left join users u on u.id = c.user_id
      where p.id in (${db.engine.oneOf(ids)})`.execute(db);
    return rows.map((row) => ({ ...row, says: beginningOf(row.says ?? "") }));
  },
  async comment(db, ids) {
    const { rows } = await sql<Found>`
      select c.id, u.username, c.body as says, c.removed
      from comments c left join users u on u.id = c.user_id
      where c.id in (${db.engine.oneOf(ids)}) and (c.deleted = 0 or c.removed = 1)`.execute(db);
    return rows;
  },
  async account(db, ids) {
    const { rows } = await sql<Found>`
      select id, username, coalesce(bio, username) as says, 0 as removed
      from users where id in (${db.engine.oneOf(ids)})`.execute(db);
    return rows;
  },
};

function beginningOf(fragment: string): string {
  const { title, body } = fromFragment(fragment);
  return title ?? body ?? "";
}
