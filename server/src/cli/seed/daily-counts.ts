import type { StoredCount } from "@tandem/contract/transparency";
import type { Account, Batch } from "@tandem/seed/model";
import { postCount } from "../../features/shared/authorship.ts";
import { dayOf } from "../../features/shared/daily-stats.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";

/** The daily statistics of everything that is inserted without its feature. */
export class DailyCounts {
  readonly #counts = new Map<string, { day: number; what: StoredCount; counted: number }>();

  add(what: StoredCount, at: number, times = 1): void {
    const day = dayOf(at);
    const known = this.#counts.get(`${day} ${what}`) ?? { day, what, counted: 0 };
    this.#counts.set(`${day} ${what}`, { ...known, counted: known.counted + times });
  }

  addAccounts(accounts: readonly Account[]): void {
    for (const { isAgent, joinedAt } of accounts) this.add(isAgent ? "agents" : "signUps", joinedAt);
  }

  addBatch({ posts, comments }: Batch): void {
    for (const { facts, likes, createdAt } of posts) {
      this.add(postCount(facts), createdAt);
      this.add("likes", createdAt, likes.length);
    }
    for (const { isAi, likes, createdAt } of comments) {
      this.add(isAi ? "commentsByAi" : "commentsByPeople", createdAt);
      this.add("likes", createdAt, likes.length);
    }
  }

  async write(tx: Db): Promise<void> {
    const rows = [...this.#counts.values()].filter(({ counted }) => counted > 0);
    rows.sort((a, b) => a.day - b.day || a.what.localeCompare(b.what));
    await insertRows(
      tx,
      "day_counts",
      rows.map((row) => ({ ...row, shard: 0 })),
    );
  }
}
