import type { ReportCase, TargetKind } from "@tandem/contract/moderation";
import type { Role } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";
import { type Excerpt, excerptFields } from "../../events/notifications.ts";
import type { Db } from "../../storage/storage.ts";
import { bioExcerpt, markedExcerpt, nameExcerpt, postExcerpt } from "./excerpts.ts";

/** The kind and id of something that was reported. */
export interface TargetRef {
  kind: TargetKind;
  target_id: number;
}

export interface DescribedTarget {
  target: ReportCase["target"];
  /** The account id of its author, or of its owner. */
  owner: number | null;
  removed: boolean;
  /** Whether it was removed automatically until a moderator has reviewed it. */
  held: boolean;
}

interface TargetRow {
  id: number;
  post_id: number | null;
  username: string | null;
  display_name: string | null;
  role: Role | null;
  /** Of an account. */
  avatar_url?: string | null;
  banner_url?: string | null;
  /** Of a community. */
  community?: string;
  picture_url?: string | null;
  owner: number | null;
  excerpt: Excerpt;
  removed: number;
  held: number;
}

/** A target as it is read, with its AI mark, 0 or 1. */
type ReadRow = Omit<TargetRow, "excerpt"> & { text: string; mark: number };

/** Describes targets, in the given order, with at most one query for each kind. */
export async function describeTargets(db: Db, targets: readonly TargetRef[]): Promise<DescribedTarget[]> {
  const found = new Map<TargetKind, Map<number, TargetRow>>();
  for (const kind of new Set(targets.map((target) => target.kind))) {
    const ids = targets.filter((target) => target.kind === kind).map((target) => target.target_id);
    found.set(kind, new Map((await finders[kind](db, ids)).map((row) => [row.id, row])));
  }
  return targets.map(({ kind, target_id: id }) => {
    const row = found.get(kind)?.get(id);
    const of = { kind, id, postId: row?.post_id ?? null, username: row?.username ?? null };
    const profile = {
      displayName: row?.display_name ?? null,
      isAgent: row?.role === "agent",
      avatarUrl: row?.avatar_url ?? null,
      bannerUrl: row?.banner_url ?? null,
    };
    const community = { community: row?.community ?? null, pictureUrl: row?.picture_url ?? null };
    const target = { ...of, ...profile, ...community, ...excerptFields(row?.excerpt) };
    return { target, owner: row?.owner ?? null, removed: row?.removed === 1, held: row?.held === 1 };
  });
}

const isHeld = (hold: RawBuilder<boolean>) =>
  sql<number>`case when exists (select 1 from decisions d where ${hold} and d.undone_at is null) then 1 else 0 end`;

const finders: Record<TargetKind, (db: Db, ids: number[]) => Promise<TargetRow[]>> = {
  async post(db, ids) {
    const { rows } = await sql<Omit<ReadRow, "mark">>`
      select p.id, p.id as post_id, u.username, u.display_name, u.role, u.id as owner, p.fragment as text, p.removed,
        ${isHeld(sql<boolean>`d.post_id = p.id and d.act = 'hold_post'`)} as held
      from posts p
        left join removed_posts r on r.post_id = p.id
        join creators c on c.id = coalesce(r.creator_id, p.creator_id)
        left join users u on u.id = c.user_id
      where p.id in (${db.engine.oneOf(ids)})`.execute(db);
    return rows.map((row) => ({ ...row, excerpt: postExcerpt(row.text) }));
  },
  async comment(db, ids) {
    const { rows } = await sql<ReadRow>`
      select c.id, c.post_id, u.username, u.display_name, u.role, u.id as owner, c.body as text, c.is_ai as mark, c.removed,
        ${isHeld(sql<boolean>`d.comment_id = c.id and d.act = 'hold_comment'`)} as held
      from comments c left join users u on u.id = c.user_id
      where c.id in (${db.engine.oneOf(ids)}) and (c.deleted = 0 or c.removed = 1)`.execute(db);
    return rows.map((row) => ({ ...row, excerpt: markedExcerpt(row.text, row.mark) }));
  },
  async account(db, ids) {
    const { rows } = await sql<Omit<ReadRow, "text" | "username"> & { username: string; bio: string | null }>`
      select id, null as post_id, username, display_name, role, avatar_url, banner_url, id as owner, bio, bio_is_ai as mark, 0 as removed, 0 as held
      from users where id in (${db.engine.oneOf(ids)})`.execute(db);
    return rows.map(({ bio, ...row }) => ({
      ...row,
      excerpt: bio === null ? nameExcerpt(row.username) : bioExcerpt(bio, row.mark),
    }));
  },
  async community(db, ids) {
    // The second condition on the role is there so that SQLite uses the index of these.
    const { rows } = await sql<
      Omit<ReadRow, "text" | "mark" | "community"> & {
        community: string;
        description: string | null;
        rules: string | null;
      }
    >`
      select c.id, c.name as community, c.description, c.rules, c.picture_url, null as post_id,
        u.username, u.display_name, u.role, u.id as owner, 0 as removed, 0 as held
      from communities c
        left join community_members m on m.community_id = c.id and m.role = 'owner' and m.role <> 'member'
        left join users u on u.id = m.user_id
      where c.id in (${db.engine.oneOf(ids)})`.execute(db);
    return rows.map(({ description, rules, ...row }) => {
      const text = [description, rules].filter(Boolean).join(" · ");
      // Only people can write a community's texts.
      return { ...row, excerpt: text === "" ? nameExcerpt(row.community) : markedExcerpt(text, 0) };
    });
  },
};
