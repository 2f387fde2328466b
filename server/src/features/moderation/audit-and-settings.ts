import { limits } from "@tandem/contract/limits";
import { type AuditEntry, type Day, type DayCount, dayCounts } from "@tandem/contract/moderation";
import { MAX_ID } from "@tandem/contract/schema";
import type { PostCount } from "@tandem/contract/transparency";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { AuditRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";
import { countsOfDays, dateOf, dayOf } from "../shared/daily-stats.ts";

const DEFAULT_DAYS = 30;

export const auditAndSettings = {
  async listAudit(ctx, { limit = limits.page.default, cursor = MAX_ID, actor, target }) {
    const actorId = actor === undefined ? null : await findActor(ctx.read, actor);
    const rows = await ctx.read
      .selectFrom("audit_log")
      .selectAll()
      .where("id", "<", cursor)
      .$if(actorId !== null, (query) => query.where("actor_id", "=", actorId))
      .$if(target !== undefined, (query) => query.where("target", "=", target ?? ""))
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { entries: page.map(asEntry), nextCursor };
  },
  readSettings: async ({ services }) => ({ settings: services.config.shown }),
  readNumbers: async ({ read, now }, { days = DEFAULT_DAYS }) => ({
    days: await dailyCounts(read, dayOf(now), days),
  }),
} satisfies Handlers<"listAudit" | "readSettings" | "readNumbers">;

/** Returns 0 for an unknown username, so that the list is empty. */
async function findActor(db: Db, username: string): Promise<number> {
  const account = await db
    .selectFrom("users")
    .select("id")
    .where("username_key", "=", username.toLowerCase())
    .executeTakeFirst();
  return account?.id ?? 0;
}

function asEntry({ id, at, actor, act, target, detail, hash }: AuditRow): AuditEntry {
  return { id, at: new Date(at).toISOString(), actor, act, target, detail, hash };
}

/** The statistics of the last days up to today. */
async function dailyCounts(db: Db, today: number, days: number): Promise<Day[]> {
  const counts = await countsOfDays(db, today, days);
  return counts.map((counted, i) => {
    const entries = dayCounts.map((name) => {
      const stored: readonly string[] = postCounts[name] ?? [name];
      return [name, stored.reduce((sum, what) => sum + (counted.get(what) ?? 0), 0)];
    });
    return {
      day: dateOf(today - days + 1 + i),
      ...(Object.fromEntries(entries) as Record<DayCount, number>),
    };
  });
}

/** Posts made here, by label. Imported posts have other bases. */
const postCounts: Partial<Record<DayCount, readonly PostCount[]>> = {
  postsByPeople: ["posts/human/declared"],
  postsByAi: ["posts/ai_generated/stamped", "posts/ai_generated/declared"],
  postsWithAi: ["posts/ai_assisted/declared"],
};
