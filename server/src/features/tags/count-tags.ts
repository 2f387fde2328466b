import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";

/** Milliseconds within which uses of hashtags count. */
export const TRENDING_TIME = limits.trending.hours * HOUR;
/** Uses that one query reads, and hashtags that one transaction writes, since nothing else runs meanwhile on SQLite. */
const BATCH = 2000;

type Counted = { name: string; people: number };

/**
 * Counts the people who used each hashtag recently. A background job, so that reading them is a lookup. It reads all recent uses,
 * which are few per person, and checks them against what they are in: nothing else has to note that a post was removed, or
 * got an AI mark.
 */
export async function countTags({ storage, now }: Services, signal: AbortSignal): Promise<void> {
  const counted = await countPeople(storage.read, now(), signal);
  if (signal.aborted) return;
  const changed = await changesTo(storage.read, counted);
  for (let at = 0; at < changed.length && !signal.aborted; at += BATCH)
    await storage.write((tx) => store(tx, changed.slice(at, at + BATCH)));
}

interface Use {
  tag: string;
  user_id: number;
  post_id: number;
  comment_id: number;
  name: string;
}

async function countPeople(db: Db, now: number, signal: AbortSignal): Promise<Map<string, Counted>> {
  const users = new Map<string, Set<number>>();
  const spellings = new Map<string, Map<string, Set<number>>>();
  for (let after: Use | null = null; !signal.aborted; ) {
    const uses: Use[] = (await usesAfter(after, now).execute(db)).rows;
    for (const { tag, user_id, name } of uses) {
      entry(users, tag, () => new Set<number>()).add(user_id);
      const ofTag = entry(spellings, tag, () => new Map<string, Set<number>>());
      entry(ofTag, name, () => new Set<number>()).add(user_id);
    }
    after = uses.at(-1) ?? null;
    if (uses.length < BATCH) break;
  }
  // Others aren't kept: one person's hashtag, such as someone else's name, is suggested to no one.
  const listed = [...users].filter(([, people]) => people.size >= limits.trending.people);
  return new Map(
    listed.map(([tag, people]) => [tag, { name: mostUsed(spellings.get(tag)) ?? tag, people: people.size }]),
  );
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

function mostUsed(spellings = new Map<string, Set<number>>()): string | undefined {
  return [...spellings].reduce<[string, Set<number>] | undefined>(
    (best, one) => (best && best[1].size >= one[1].size ? best : one),
    undefined,
  )?.[0];
}

/** The next recent uses by people who may write, in posts and comments that are visible and bear no AI mark. */
export function usesAfter(after: Use | null, now: number) {
  const position = after
    ? sql`(t.tag, t.user_id, t.post_id, t.comment_id) > (${after.tag}, ${after.user_id}, ${after.post_id}, ${after.comment_id})`
    : sql`1 = 1`;
  return sql<Use>`
    select t.tag, t.user_id, t.post_id, t.comment_id, t.name
    from tag_uses t cross join users u cross join posts p left join comments c on c.id = t.comment_id
    where u.id = t.user_id and p.id = t.post_id and ${position} and t.used_at > ${now - TRENDING_TIME}
      and u.operator_id is null and u.removing_at is null and coalesce(u.suspended_until, 0) <= ${now}
      and p.removed = 0
      and case when t.comment_id = 0 then p.provenance = 'human' else c.is_ai = 0 and c.deleted = 0 and c.removed = 0 end
    order by t.tag, t.user_id, t.post_id, t.comment_id limit ${BATCH}`;
}

/** The hashtags whose row differs from this count, without people if their row has to go. */
async function changesTo(db: Db, counted: Map<string, Counted>): Promise<(Counted & { tag: string })[]> {
  const stored = await db.selectFrom("tags").select(["tag", "name", "people"]).execute();
  const before = new Map(stored.map((row) => [row.tag, row]));
  const changed = [...counted].filter(
    ([tag, { name, people }]) => before.get(tag)?.people !== people || before.get(tag)?.name !== name,
  );
  const gone = stored.filter(({ tag }) => !counted.has(tag));
  return [
    ...changed.map(([tag, row]) => ({ tag, ...row })),
    ...gone.map(({ tag, name }) => ({ tag, name, people: 0 })),
  ];
}

async function store(tx: Db, rows: readonly (Counted & { tag: string })[]): Promise<void> {
  const columns = { tag: "text", name: "text", people: "integer" } as const;
  const listed = tx.engine.jsonRows(JSON.stringify(rows), columns);
  await sql`
    delete from tags where tag in (select tag from (${listed}) as listed where people = 0)`.execute(tx);
  await sql`
    insert into tags (tag, name, people)
    select tag, name, people from (${listed}) as listed where people > 0
    on conflict (tag) do update set name = excluded.name, people = excluded.people`.execute(tx);
}
