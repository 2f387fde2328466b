import type { Environment } from "@tandem/server/config";
import { readConfig } from "@tandem/server/config";
import { openExisting } from "@tandem/server/storage/open";
import { runCommand } from "@tandem/testing/command";
import type { Storm, Written } from "./storm.ts";

/**
 * Looks for everything that a storm wrote, counts it, and runs `tandem check`. Returns what is wrong, one sentence each.
 */
export async function judge(env: Environment, storm: Pick<Storm, "posts" | "comments" | "hot" | "likes">) {
  const problems: string[] = [];
  const database = await openExisting(readConfig(env));
  try {
    const texts = await database.read.selectFrom("post_texts").select("folded").execute();
    compare(
      problems,
      "post",
      storm.posts,
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
      comments.map(({ body }) => body),
    );
    const rows = await database.read
      .selectFrom("post_likes")
      .select("user_id")
      .where("post_id", "=", storm.hot)
      .execute();
    const likers = new Set(rows.map(({ user_id }) => user_id));
    for (const [account, liked] of storm.likes)
      if (likers.has(account) !== liked)
        problems.push(`The last acknowledged call of account ${account} was ${liked ? "lost" : "undone"}`);
  } finally {
    await database.close();
  }
  const check = await runCommand(env, "check");
  if (check.code !== 0) problems.push(check.out);
  return problems;
}

function compare(problems: string[], what: string, written: readonly Written[], found: string[]): void {
  const times = new Map<string, number>();
  for (const text of found) times.set(text, (times.get(text) ?? 0) + 1);
  for (const { text, acknowledged } of written) {
    const there = times.get(text) ?? 0;
    if (there > 1) problems.push(`The ${what} "${text}" exists ${there} times`);
    if (there === 0 && acknowledged) problems.push(`The acknowledged ${what} "${text}" is lost`);
  }
}
