import { sql } from "kysely";
import { invalid } from "../../http/api-error.ts";
import type { Actor } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { countAttempt } from "../accounts/throttle.ts";
import { aiMark } from "../shared/authorship.ts";

/**
 * Replaces the links on the caller's profile. New ones are checked; those that stay keep what their checks found. A key or
 * agent that adds a link marks the profile's links; like a text's mark, that outlasts the links.
 */
export async function setLinks(ctx: Actor, tx: Db, given: readonly string[]): Promise<void> {
  const { caller, services } = ctx;
  const urls = distinct(given);
  await lockAccount(tx, caller.userId);
  const own = await linksOf(tx, caller.userId);
  const added = urls.filter((url) => !own.some((link) => link.url === url));
  const dropped = own.filter(({ url }) => !urls.includes(url)).map(({ id }) => id);
  if (dropped.length > 0) await tx.deleteFrom("profile_links").where("id", "in", dropped).execute();
  for (const { id, url, position } of own)
    if (urls.includes(url) && urls.indexOf(url) !== position)
      await tx
        .updateTable("profile_links")
        .set({ position: urls.indexOf(url) })
        .where("id", "=", id)
        .execute();
  if (added.length === 0) return;
  if (aiMark(caller) === 1)
    await tx.updateTable("users").set({ links_is_ai: 1 }).where("id", "=", caller.userId).execute();
  const isChecked = services.config.linkChecks;
  if (isChecked) await limitChecks(ctx, tx, added.length);
  const row = (url: string) => ({
    user_id: caller.userId,
    position: urls.indexOf(url),
    url,
    host: new URL(url).host,
    due_at: isChecked ? ctx.now : null,
  });
  await tx.insertInto("profile_links").values(added.map(row)).execute();
}

/** Has the caller's links checked, except for those that wait for a check or are being checked. */
export async function requestChecks(ctx: Actor, tx: Db): Promise<void> {
  const { caller, services, now } = ctx;
  if (!services.config.linkChecks) return;
  await lockAccount(tx, caller.userId);
  const idle = (await linksOf(tx, caller.userId)).filter(({ due_at }) => due_at === null || due_at > now);
  if (idle.length === 0) return;
  await limitChecks(ctx, tx, idle.length);
  await tx
    .updateTable("profile_links")
    // A verified link keeps its failures: asking again must not keep its tick alive.
    .set({
      due_at: now,
      checked_at: null,
      misses: 0,
      attempts: sql<number>`case when verified_at is null then 0 else attempts end`,
    })
    .where(
      "id",
      "in",
      idle.map(({ id }) => id),
    )
    .execute();
}

/** The same address, spelt differently, counts once; the first spelling stays. */
function distinct(given: readonly string[]): string[] {
  const byAddress = new Map<string, string>();
  for (const text of given) {
    const url = new URL(text);
    if (url.username || url.password) throw invalid("links", "links can't contain a username or password.");
    if (!byAddress.has(url.href)) byAddress.set(url.href, text);
  }
  return [...byAddress.values()];
}

function linksOf(tx: Db, userId: number) {
  return tx
    .selectFrom("profile_links")
    .select(["id", "url", "position", "due_at"])
    .where("user_id", "=", userId)
    .execute();
}

/** Limits how often a person, alone or with their agents, has this service send requests. Throws `rate_limited`. */
async function limitChecks(ctx: Actor, tx: Db, checks: number): Promise<void> {
  const { id } = await tx
    .selectFrom("users")
    .select((eb) => eb.fn.coalesce("operator_id", "id").as("id"))
    .where("id", "=", ctx.caller.userId)
    .executeTakeFirstOrThrow();
  const counter = { name: "linkChecksPerPerson", of: String(id) } as const;
  await countAttempt(ctx, tx, { what: "link checks", counters: Array(checks).fill(counter) });
}
