import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Services } from "../../http/services.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { logCurrent, logCurrentDeletions } from "../transparency-log/current.ts";
import { ownerOf } from "./stream-keys.ts";

/** Milliseconds after the streaming server's last report when a stream counts as ended. */
export const SILENCE_TIMEOUT = limits.liveSilenceSeconds * 1000;

/** What a streaming server reports about a stream. A stream that `waits` is connected but hasn't sent any media yet. */
export interface StreamEvent {
  type: "begins" | "waits" | "runs" | "ends";
  /** The stream's public name and its secret key. */
  stream: string;
  key: string;
  /** The server's id of the connection. */
  client: string;
}

/** Handles an event. Throws an {@link ApiError} if the stream isn't allowed (any longer): the server then disconnects it. */
export async function handleStreamEvent({ storage, now, log }: Services, event: StreamEvent): Promise<void> {
  const work = (tx: Db) => (event.type === "ends" ? end(tx, event) : recordRunning(tx, event, now()));
  try {
    await storage.write(work);
  } catch (err) {
    // Don't disconnect a running stream because the service is overloaded.
    if (event.type === "begins" || !(err instanceof Overloaded)) throw err;
    log.warn({ err }, "a streaming server's event could not be recorded: the database is busy");
  }
}

/**
 * Treats an unknown running stream like one that begins: the service may have been down. Each key can have one stream at a
 * time; while it runs, others are rejected.
 */
async function recordRunning(tx: Db, { type, stream, key, client }: StreamEvent, now: number): Promise<void> {
  const owner = await ownerOf(tx, stream, key);
  if (!owner)
    throw new ApiError(
      "forbidden",
      "This stream key is unknown or has been revoked. Start a new live stream to get another key.",
    );
  if (owner.suspended_until !== null && owner.suspended_until > now)
    throw new ApiError("forbidden", "This account is suspended.");
  if (owner.paused === 1)
    throw new ApiError("forbidden", "This agent is paused. Its operator can resume it.");
  if (type === "waits") return;
  // Events may arrive out of order: a report that a stream runs may come after its end.
  if (type === "runs" && owner.ended_client === client)
    throw new ApiError("forbidden", "This stream has ended.");
  const current = await currentLive(tx, owner.user_id);
  const isRunning = current?.last_sign_at != null && current.last_sign_at > now - SILENCE_TIMEOUT;
  if (isRunning && current.client !== client)
    throw new ApiError("forbidden", "A stream with this key is already live. End it first.");
  const values = {
    title: owner.title,
    post_id: owner.post_id,
    stream,
    client,
    last_sign_at: now,
    first_number: null,
    upstream_number: null,
  };
  await tx
    .insertInto("lives")
    .values({ user_id: owner.user_id, started_at: now, ...values })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet(isRunning ? { last_sign_at: now } : { started_at: now, ...values }),
    )
    .execute();
  if (!isRunning) await logCurrent(tx, "live", owner.user_id, now);
  // The same connection may end one stream and begin another.
  if (owner.ended_client === client) await setEndedClient(tx, owner.user_id, null);
}

function currentLive(tx: Db, userId: number) {
  return tx
    .selectFrom("lives")
    .select(["client", "last_sign_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Only the live stream's own connection ends it: rejected connections report their end, too. */
async function end(tx: Db, { stream, key, client }: StreamEvent): Promise<void> {
  const owner = await ownerOf(tx, stream, key);
  if (!owner) return;
  const ended = await tx
    .deleteFrom("lives")
    .where("user_id", "=", owner.user_id)
    .where("client", "=", client)
    .returning("user_id")
    .executeTakeFirst();
  if (!ended) return;
  await logCurrentDeletions(tx, "live", [owner.user_id]);
  await setEndedClient(tx, owner.user_id, client);
}

/** Deletes up to `limit` streams that ended without a report, and returns how many. */
export async function sweepLives(tx: Db, now: number, limit: number): Promise<number> {
  const isSilent = sql`last_sign_at <= ${now - SILENCE_TIMEOUT}`;
  // The condition appears twice because PostgreSQL re-checks only the outer one for a row that has just changed.
  const { rows } = await sql<{ user_id: number }>`delete from lives where ${isSilent}
    and user_id in (select user_id from lives where ${isSilent} limit ${limit}) returning user_id`.execute(
    tx,
  );
  await logCurrentDeletions(
    tx,
    "live",
    rows.map(({ user_id }) => user_id),
  );
  return rows.length;
}

async function setEndedClient(tx: Db, userId: number, client: string | null): Promise<void> {
  await tx.updateTable("stream_keys").set({ ended_client: client }).where("user_id", "=", userId).execute();
}
