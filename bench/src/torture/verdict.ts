import type { Environment } from "@tandem/server/config";
import { readConfig } from "@tandem/server/config";
import { openExisting } from "@tandem/server/storage/open";
import { runCommand } from "@tandem/testing/command";
import type { Storm, Written } from "./storm.ts";

/** A database as it was while a storm raged. */
interface Moment {
  storm: Pick<Storm, "posts" | "comments" | "hot">;
  /** When it was, by the clock (`Date.now()`). What was acknowledged later needn't be there. */
  at: number;
  /** {@link Storm.likes}, if every like was answered by then. */
  likes?: Storm["likes"];
}

/**
 * Looks for everything that a storm wrote, counts it, and runs `tandem check`. Returns what is wrong, one sentence each.
 */
export async function judge(env: Environment, { storm, at, likes }: Moment): Promise<string[]> {
  const problems: string[] = [];
  const database = await openExisting(readConfig(env));
  try {
    const texts = await database.read.selectFrom("post_texts").select("folded").execute();
    compare(
      problems,
      "post",
      storm.posts,
      at,
      texts.map(({ folded }) => folded.trim().toLowerCase()),
    );
    const comments = await database.read
      .selectFrom("comments")
      .select("body")
      .where("post_id", "=", storm.hot)
      .execute();
    compare(
      problems,
      "comment",
      storm.comments,
      at,
      comments.map(({ body }) => body),
    );
    const rows = await database.read
      .selectFrom("post_likes")
      .select("user_id")
      .where("post_id", "=", storm.hot)
      .execute();
    const likers = new Set(rows.map(({ user_id }) => user_id));
    for (const [account, liked] of likes ?? [])
      if (likers.has(account) !== liked)
        problems.push(`The last acknowledged call of account ${account} was ${liked ? "lost" : "undone"}`);
  } finally {
    await database.close();
  }
  const check = await runCommand(env, "check");
  if (check.code !== 0) problems.push(check.out);
  return problems;
}

function compare(
  problems: string[],
  what: string,
  written: readonly Written[],
  at: number,
  found: string[],
): void {
  const times = new Map<string, number>();
  for (const text of found) times.set(text, (times.get(text) ?? 0) + 1);
  for (const { text, acknowledgedAt } of written) {
    const there = times.get(text) ?? 0;
    if (there > 1) problems.push(`The ${what} "${text}" exists ${there} times`);
    if (there === 0 && acknowledgedAt < at) problems.push(`The acknowledged ${what} "${text}" is lost`);
  }
}
