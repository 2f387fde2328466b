import type { PollResults } from "@tandem/contract/post-resources";
import { type RawBuilder, sql } from "kysely";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/* How polls stand is looked up whenever their posts are shown or quoted: one query for a page with polls, and none for any other page. */

/** Within a text, the quotation mark would be escaped. JSON is full of quotation marks, so starting with one would make the search ten times slower. */
const POLL = 'poll":{';

/** Whether any of these posts, as JSON, has a poll. */
export const havePolls = (posts: Buffer | string): boolean => posts.includes(POLL);

const query = (db: Db, json: string, own: RawBuilder<unknown>) =>
  sql<ResultRow>`
    select p.post_id, o.vote_count, o.ai_vote_count, p.voter_count, p.ai_voter_count,
      case when o.position = 0 then ${own} end as choices
    from polls p join poll_options o on o.post_id = p.post_id
    where p.post_id in (${idRows(db, json)}) order by o.post_id, o.position`.compile(db);

const resultsOf = prepared<{ json: string }, ResultRow>((db, { json }) => query(db, json, sql`null`));
const resultsFor = prepared<{ json: string; user: number }, ResultRow>((db, { json, user }) =>
  query(
    db,
    json,
    sql`(select v.choices from poll_votes v where v.user_id = ${user} and v.post_id = p.post_id)`,
  ),
);

interface ResultRow {
  post_id: number;
  vote_count: number;
  ai_vote_count: number;
  voter_count: number;
  ai_voter_count: number;
  choices: string | null;
}

/** How the polls of these posts stand, by post id, with this account's own choices. */
export async function readResults(
  db: Db,
  ids: readonly number[],
  user: number | null,
): Promise<Map<number, PollResults>> {
  const json = idsJson(ids);
  const rows = await (user === null ? resultsOf(db, { json }) : resultsFor(db, { json, user }));
  const found = new Map<number, PollResults>();
  for (const row of rows) {
    const results: PollResults = found.get(row.post_id) ?? {
      votes: [],
      voters: apart(row.voter_count, row.ai_voter_count),
      ...(row.choices !== null && { choices: JSON.parse(row.choices) }),
    };
    results.votes.push(apart(row.vote_count, row.ai_vote_count));
    found.set(row.post_id, results);
  }
  return found;
}

const apart = (all: number, agents: number) => ({ people: all - agents, agents });
