import type { DayCount } from "@tandem/contract/moderation";
import type { Provenance } from "@tandem/contract/resources";
import { dayOf } from "../../features/shared/daily-stats.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import type { Batch } from "./plan.ts";
import type { World } from "./world.ts";

const postsBy: Record<Provenance, DayCount> = {
  human: "postsByPeople",
  ai_assisted: "postsWithAi",
  ai_generated: "postsByAi",
};

/** What happened on each day, as it would have been counted. */
export class Days {
  readonly #counts = new Map<string, { day: number; what: DayCount; counted: number }>();

  count(what: DayCount, at: number, times = 1): void {
    const day = dayOf(at);
    const known = this.#counts.get(`${day} ${what}`) ?? { day, what, counted: 0 };
    this.#counts.set(`${day} ${what}`, { ...known, counted: known.counted + times });
  }

  join({ accounts }: World): void {
    for (const { isAgent, joinedAt } of accounts) this.count(isAgent ? "agents" : "signUps", joinedAt);
  }

  add({ posts, comments }: Batch): void {
    for (const { by, facts, likes, postedAt } of posts) {
      if (by) this.count(postsBy[facts.provenance], postedAt);
      this.count("likes", postedAt, likes.length);
    }
    for (const { isAi, likes, at } of comments) {
      this.count(isAi ? "commentsByAi" : "commentsByPeople", at);
      this.count("likes", at, likes.length);
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
