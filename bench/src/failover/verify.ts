import { createClient } from "@tandem/client/create-client";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { type Cluster, waitFor } from "./cluster.ts";
import { POSTS_A_DAY, type WriteLoad, type WrittenText } from "./write-load.ts";

export interface Verdict {
  lost: number;
  duplicated: number;
  /** Other problems, one sentence each. */
  problems: string[];
}

/** Looks for everything that a load wrote, as readers see it and as the database has it. */
export async function verify(
  load: WriteLoad,
  service: string,
  { url: database, copies }: Cluster,
): Promise<Verdict> {
  const verdict: Verdict = { lost: 0, duplicated: 0, problems: [] };
  for (const { username, posts } of load.authors) {
    const stored = await textsIn(
      database,
      `select lower(folded) as text from post_texts join posts p on p.id = post_id join creators a on a.id = p.creator_id
       where a.author = '${username}'`,
    );
    verifyTexts(verdict, posts, stored);
    compareWithReaders(verdict, `posts of ${username}`, stored, await titlesOf(service, username));
  }
  const comments = await textsIn(database, `select body as text from comments where post_id = ${load.hot}`);
  verifyTexts(verdict, load.comments, comments);
  compareWithReaders(verdict, "comments", comments, await commentsOn(service, load.hot));
  await verifyLikes(verdict, load, database);
  for (const [rule, broken] of Object.entries(rules)) {
    const [row] = await queryPostgres<{ rows: number }>(
      database,
      `select count(*)::int as rows from (${broken}) as broken`,
    );
    if (row?.rows !== 0) verdict.problems.push(`${rule}: ${row?.rows} rows differ`);
  }
  await waitFor("copies that are alike", async () => {
    const sums = await Promise.all(copies.map((copy) => queryPostgres<{ sum: string }>(copy, sumOfPosts)));
    return new Set(sums.map(([row]) => row?.sum)).size === 1 || null;
  }).catch((error: Error) => verdict.problems.push(error.message));
  return verdict;
}

const sumOfPosts =
  "select md5(string_agg(concat_ws(' ', id, like_count, comment_count, fragment), ',' order by id)) as sum from posts";

function verifyTexts(verdict: Verdict, written: WrittenText[], found: string[]): void {
  const times = new Map<string, number>();
  for (const text of found) times.set(text, (times.get(text) ?? 0) + 1);
  for (const { text, end } of written) {
    const there = times.get(text) ?? 0;
    if (there > 1) verdict.duplicated += 1;
    if (there === 0 && end === "acknowledged") verdict.lost += 1;
    if (there > 0 && end === "refused") verdict.problems.push(`"${text}" was refused, and is there`);
    times.delete(text);
  }
  if (times.size > 0) verdict.problems.push(`${times.size} texts exist that no one wrote`);
}

async function textsIn(database: string, query: string): Promise<string[]> {
  return (await queryPostgres<{ text: string }>(database, query)).map(({ text }) => text.trim());
}

/** Adds a problem unless readers see exactly what the database contains. */
function compareWithReaders({ problems }: Verdict, what: string, stored: string[], seen: string[]): void {
  if (stored.toSorted().join("\n") === seen.toSorted().join("\n")) return;
  problems.push(`readers see ${seen.length} ${what}, of ${stored.length}`);
}

async function titlesOf(baseUrl: string, author: string): Promise<string[]> {
  const client = createClient({ baseUrl });
  return all(async (cursor) => {
    const { posts, nextCursor } = await client.listPosts({ author, limit: 50, ...cursor });
    return { found: posts.map(({ title }) => String(title)), nextCursor };
  });
}

async function commentsOn(baseUrl: string, id: number): Promise<string[]> {
  const client = createClient({ baseUrl });
  return all(async (cursor) => {
    const { comments, nextCursor } = await client.listComments({ id, ...cursor });
    return { found: comments.map(({ body }) => body), nextCursor };
  });
}

interface Page {
  found: string[];
  nextCursor: number | null;
}

async function all(read: (cursor: { cursor?: number }) => Promise<Page>): Promise<string[]> {
  const found: string[] = [];
  let cursor: number | null = null;
  do {
    const page: Page = await read(cursor === null ? {} : { cursor });
    found.push(...page.found);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

/** Each account's last acknowledged call must hold, with exactly one notification for a like. */
async function verifyLikes(verdict: Verdict, { hot, likes }: WriteLoad, database: string): Promise<void> {
  for (const [table, user, condition] of [
    ["post_likes", "user_id", ""],
    ["notifications", "actor_id", "and type = 'post_like'"],
  ]) {
    const rows = await queryPostgres<{ account: string }>(
      database,
      `select ${user}::text as account from ${table} where post_id = ${hot} ${condition}`,
    );
    for (const [account, liked] of likes) {
      const there = rows.filter((row) => row.account === String(account)).length;
      if (there > 1) verdict.duplicated += 1;
      if (there === 0 && liked) verdict.lost += 1;
      if (there > 0 && !liked) verdict.problems.push(`${table}: account ${account} took back what is there`);
    }
  }
}

/** Invariants, each with a query for the rows that violate it. */
const rules: Record<string, string> = {
  "a post's likes are counted": `
    select 1 from posts p where like_count <> (select count(*) from post_likes l where l.post_id = p.id)`,
  "a post's comments are counted": `
    select 1 from posts p where comment_count <> (select count(*) from comments c where c.post_id = p.id)`,
  "an author's posts are counted": `
    select 1 from creators a where post_count <> (select count(*) from posts p where p.creator_id = a.id and p.archived = 0)`,
  "an author's likes are counted": `
    select 1 from creators a
    where like_count <> (select coalesce(sum(like_count), 0) from posts p where p.creator_id = a.id and p.archived = 0)`,
  "unread notifications are counted": `
    select 1 from users u where unread <> (select count(*) from notifications n where n.user_id = u.id)`,
  "no key has more posts than its quota": `
    select 1 from quota_windows where quota = 'posts' and used > ${POSTS_A_DAY}`,
  "a key's quota is charged once per post": `
    select 1 from quota_windows w join keys k on w.holder = 'key:' || k.id join creators a on a.user_id = k.user_id
    where w.quota = 'posts' and w.used <> (select count(*) from posts p where p.creator_id = a.id and p.archived = 0)`,
  "every post can be searched": `
    select 1 from posts p where not exists (select from post_texts t where t.post_id = p.id)`,
};
