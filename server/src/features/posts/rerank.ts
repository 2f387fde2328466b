import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import type { RankingRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { hotRankSql, rankedLikes } from "./hot.ts";

/** Post ids per transaction. */
const BATCH = 1000;

/**
 * Applies the setting `HOT_LIKES`: if it has changed, recomputes the rank of posts that have likes by AI, batch by batch.
 * Posts liked in the meantime already get the new rank. Continues where an interrupted run stopped.
 */
export async function rerank({ storage, config }: Services, signal: AbortSignal): Promise<void> {
  const aiLikes = config.hotLikes === "all" ? 1 : 0;
  const { ai_likes, reranked_upto } = await readRanking(storage.read);
  if (ai_likes === aiLikes && reranked_upto === null) return;
  await storage.write((tx) => startRerank(tx, aiLikes));
  for (let more = true; more && !signal.aborted; ) more = await storage.write(rerankBatch);
}

async function readRanking(db: Db): Promise<Omit<RankingRow, "id">> {
  const row = await db.selectFrom("ranking").select(["ai_likes", "reranked_upto"]).executeTakeFirst();
  return row ?? { ai_likes: 1, reranked_upto: null };
}

async function startRerank(tx: Db, aiLikes: number): Promise<void> {
  if ((await readRanking(tx)).ai_likes === aiLikes) return;
  const choice = { ai_likes: aiLikes, reranked_upto: 0 };
  await tx
    .insertInto("ranking")
    .values({ id: 1, ...choice })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(choice))
    .execute();
}

/** Returns whether there may be more. */
async function rerankBatch(tx: Db): Promise<boolean> {
  const { reranked_upto: upto } = await readRanking(tx);
  if (upto === null) return false;
  const range = await tx
    .selectFrom("posts")
    .select("id")
    .where("id", ">", upto)
    .orderBy("id")
    .limit(BATCH)
    .execute();
  const last = range.at(-1)?.id ?? null;
  if (last !== null) await rerankRange(tx, upto, last);
  await tx.updateTable("ranking").set({ reranked_upto: last }).execute();
  return last !== null;
}

async function rerankRange(tx: Db, after: number, upto: number): Promise<void> {
  const likes = rankedLikes({ likes: sql`like_count`, aiLikes: sql`ai_like_count` });
  const rank = hotRankSql({
    score: sql`(origin_score + ${likes})`,
    comments: sql`comment_count`,
    postedAt: sql`posted_at`,
  });
  await sql`update posts set hot_rank = ${rank} where id > ${after} and id <= ${upto} and ai_like_count > 0 and removed = 0
    and archived = 0`.execute(tx);
}
