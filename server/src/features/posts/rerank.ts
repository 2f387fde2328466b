import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import type { RankingRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { hotRankSql, rankedLikes } from "./hot.ts";

/** How many posts are ranked anew in one transaction. */
const BATCH = 1000;

/**
 * Sees that ranks are made of what the operator wants them to be made of (`HOT_LIKES`): where that has changed, posts
 * with likes by AI are ranked anew, some at a time. What is liked meanwhile is ranked the new way already.
 */
export async function rerank({ storage, config }: Services, signal: AbortSignal): Promise<void> {
  const aiLikes = config.hotLikes === "all" ? 1 : 0;
  const { ai_likes, reranked_upto } = await rankingOf(storage.read);
  if (ai_likes === aiLikes && reranked_upto === null) return;
  await storage.write((tx) => choose(tx, aiLikes));
  for (let more = true; more && !signal.aborted; ) more = await storage.write(rankSome);
}

async function rankingOf(db: Db): Promise<Omit<RankingRow, "id">> {
  const chosen = await db.selectFrom("ranking").select(["ai_likes", "reranked_upto"]).executeTakeFirst();
  return chosen ?? { ai_likes: 1, reranked_upto: null };
}

async function choose(tx: Db, aiLikes: number): Promise<void> {
  if ((await rankingOf(tx)).ai_likes === aiLikes) return;
  const choice = { ai_likes: aiLikes, reranked_upto: 0 };
  await tx
    .insertInto("ranking")
    .values({ id: 1, ...choice })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(choice))
    .execute();
}

/** Whether there may be more. */
async function rankSome(tx: Db): Promise<boolean> {
  const { reranked_upto: upto } = await rankingOf(tx);
  if (upto === null) return false;
  const range = await tx
    .selectFrom("posts")
    .select("id")
    .where("id", ">", upto)
    .orderBy("id")
    .limit(BATCH)
    .execute();
  const last = range.at(-1)?.id ?? null;
  if (last !== null) await rankAnew(tx, upto, last);
  await tx.updateTable("ranking").set({ reranked_upto: last }).execute();
  return last !== null;
}

async function rankAnew(tx: Db, after: number, upto: number): Promise<void> {
  const likes = rankedLikes({ likes: sql`like_count`, aiLikes: sql`ai_like_count` });
  const rank = hotRankSql({
    score: sql`(origin_score + ${likes})`,
    comments: sql`comment_count`,
    postedAt: sql`posted_at`,
  });
  await sql`update posts set hot_rank = ${rank} where id > ${after} and id <= ${upto} and ai_like_count > 0 and removed = 0`.execute(
    tx,
  );
}
