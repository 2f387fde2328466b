import { limits } from "@tandem/contract/limits";
import { type AuditEntry, type Day, type DayCount, dayCounts } from "@tandem/contract/moderation";
import { MAX_ID } from "@tandem/contract/schema";
import type { Handlers } from "../../http/context.ts";
import type { AuditRow } from "../../storage/schema/moderation.ts";
import type { Db } from "../../storage/storage.ts";
import { dayOf } from "../shared/daily-stats.ts";

const DAY = 86_400_000;
const MONTH = 30;

export const oversight = {
  async listAudit(ctx, { limit = limits.page.default, cursor = MAX_ID, actor, target }) {
    const by = actor === undefined ? null : await actorNamed(ctx.read, actor);
    const rows = await ctx.read
      .selectFrom("audit_log")
      .selectAll()
      .where("id", "<", cursor)
      .$if(by !== null, (query) => query.where("actor_id", "=", by))
      .$if(target !== undefined, (query) => query.where("target", "=", target ?? ""))
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { entries: page.map(asEntry), nextCursor: ctx.nextPage(next) };
  },
  readSettings: async ({ services }) => ({ settings: services.config.shown }),
  readNumbers: async ({ read, now }, { days = MONTH }) => ({ days: await numbersOf(read, dayOf(now), days) }),
} satisfies Handlers<"listAudit" | "readSettings" | "readNumbers">;

/** An account that isn't there has done nothing. */
async function actorNamed(db: Db, username: string): Promise<number> {
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

/** So many days up to today; a row for each of a few counts of a day is all that is read. */
async function numbersOf(db: Db, today: number, days: number): Promise<Day[]> {
  const rows = await db
    .selectFrom("day_counts")
    .select(["day", "what"])
    .select((eb) => eb.fn.sum<number>("counted").as("counted"))
    .where("day", ">", today - days)
    .where("day", "<=", today)
    .groupBy(["day", "what"])
    .execute();
  const none = Object.fromEntries(dayCounts.map((what) => [what, 0])) as Record<DayCount, number>;
  return Array.from({ length: days }, (_, i) => {
    const day = today - days + 1 + i;
    const those = rows.filter((row) => row.day === day).map(({ what, counted }) => [what, Number(counted)]);
    const date = new Date(day * DAY).toISOString().slice(0, 10);
    return { day: date, ...none, ...Object.fromEntries(those) };
  });
}
