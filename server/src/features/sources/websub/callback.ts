import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY, MINUTE, SECOND } from "@tandem/contract/durations";
import { sql } from "kysely";
import type { Announcement, Verification } from "../../../http/serve-websub.ts";
import type { Services } from "../../../http/services.ts";
import type { Db } from "../../../storage/storage.ts";
import { visitPushed } from "../importer.ts";
import { PUSH_INTERVAL } from "../schedule.ts";
import { REST } from "./ask-hub.ts";
import { findSubscription, type Subscription } from "./subscriptions.queries.ts";

/** A longer lease is renewed as if it ended then, and a shorter one no earlier than after its minimum. */
const LEASES = { shortest: 5 * MINUTE, longest: 90 * DAY };
/** Longer challenges aren't answered: letters. Usual ones have less than a hundred. */
const MAX_CHALLENGE = 2048;

/**
 * A hub asks whether this service wants to begin or end a subscription, or tells that it denies one. Returns what to answer; null if the
 * service didn't ask for it. A hub has to tell how long the subscription lasts; if it doesn't, it is a day.
 */
export async function verify(
  services: Services,
  callback: string,
  sent: Verification,
): Promise<string | null> {
  const { storage, now } = services;
  // Reads first: anyone can call this.
  if (!(await findSubscription(storage.read, callback, false))) return null;
  return storage.write(async (tx) => {
    const row = await findSubscription(tx, callback, true);
    if (!row || row.topic !== sent.topic) return null;
    if (sent.mode === "denied") {
      await deny(tx, row, now());
      return "";
    }
    const { mode, challenge = "" } = sent;
    if (challenge === "" || challenge.length > MAX_CHALLENGE || mode !== row.asked) return null;
    if (mode === "unsubscribe") {
      await tx.deleteFrom("hub_subscriptions").where("id", "=", row.id).execute();
      return challenge;
    }
    const lease = /^[1-9]\d{0,9}$/.test(sent.leaseSeconds ?? "") ? Number(sent.leaseSeconds) * SECOND : DAY;
    await activate(tx, row, lease, now());
    return challenge;
  });
}

/** The hub may deny a subscription at any time. */
async function deny(tx: Db, { id, source_id }: Subscription, now: number): Promise<void> {
  if (source_id === null) await tx.deleteFrom("hub_subscriptions").where("id", "=", id).execute();
  else await set(tx, id, { asked: null, active_until: null, attempts: 0, due_at: now + REST });
}

async function activate(tx: Db, { id }: Subscription, given: number, now: number): Promise<void> {
  const lease = Math.min(given, LEASES.longest);
  const renewal = Math.max(lease * (0.7 + 0.1 * Math.random()), LEASES.shortest);
  const due_at = Math.round(now + renewal);
  await set(tx, id, { asked: null, active_until: now + lease, attempts: 0, due_at });
}

async function set(tx: Db, id: number, values: Partial<Subscription>): Promise<void> {
  await tx.updateTable("hub_subscriptions").set(values).where("id", "=", id).execute();
}

/** Whether a hub may announce something at this callback. */
export async function isCallback({ storage }: Services, callback: string): Promise<boolean> {
  return (await announcedSource(storage.read, callback)) !== null;
}

/**
 * A hub announces that a feed has changed. The content isn't used: the source becomes due, and its feed is fetched as usual. What is
 * unsigned or signed wrongly is ignored, and the hub isn't told, so that it can't guess.
 */
export async function receive(services: Services, callback: string, sent: Announcement): Promise<void> {
  const { storage, now, afterResponse } = services;
  const found = await announcedSource(storage.read, callback);
  if (!found || (found.active_until ?? 0) <= now() || !isSigned(storage.read, found, sent)) return;
  const { source_id, holder, due_at, polled_at } = found;
  const earliest = Math.max(now(), (polled_at ?? 0) + PUSH_INTERVAL);
  const isDueAnyway = holder === null && due_at !== null && due_at <= earliest;
  if (!isDueAnyway && !(await storage.write((tx) => announce(tx, source_id, earliest, now())))) return;
  if (earliest <= now()) afterResponse.run("announced sources", () => visitPushed(services));
}

async function announcedSource(db: Db, callback: string) {
  const found = await db
    .selectFrom("hub_subscriptions as h")
    .innerJoin("sources as s", "s.id", "h.source_id")
    .select(["h.secret", "h.active_until", "s.id as source_id", "s.holder", "s.due_at", "s.polled_at"])
    .where("h.callback", "=", callback)
    .executeTakeFirst();
  return found ?? null;
}

/** A source that fails, or that is disabled, isn't visited earlier. A visit in progress sees that another is due. */
async function announce(tx: Db, id: number, earliest: number, now: number): Promise<boolean> {
  const done = await tx
    .updateTable("sources")
    .set({
      pushed_at: now,
      due_at: sql<number>`case when due_at < ${earliest} then due_at else ${earliest} end`,
    })
    .where("id", "=", id)
    .where("enabled", "=", 1)
    .where("state", "=", "working")
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

const methods = new Set(["sha1", "sha256", "sha384", "sha512"]);

/** Compares in constant time. */
function isSigned(
  { secrets }: Db,
  { secret }: { secret: string },
  { signature, body }: Announcement,
): boolean {
  const [, method = "", given = ""] = /^(\w+)=([\da-f]+)$/i.exec(signature.trim()) ?? [];
  if (!methods.has(method.toLowerCase())) return false;
  const key = secrets.decrypt("hub_subscriptions", secret);
  const expected = createHmac(method.toLowerCase(), key).update(body).digest();
  const bytes = Buffer.from(given, "hex");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
