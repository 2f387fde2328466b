import { limits } from "@tandem/contract/limits";
import { ApiError } from "../../http/api-error.ts";
import type { Services } from "../../http/services.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { ownerOf } from "./stream-keys.ts";

/** A broadcast that nothing was heard of for so long is over; in milliseconds. */
export const SILENCE = limits.liveSilenceSeconds * 1000;

/** What a streaming server says of a stream. One that `waits` is connected, and has sent nothing to be played. */
export interface Sign {
  says: "begins" | "waits" | "runs" | "ends";
  /** The stream's public name, and the key it is sent under. */
  stream: string;
  key: string;
  /** The server's own name for the connection. */
  client: string;
}

/** Takes a sign. Throws a {@link ApiError} where the stream is not to be, or no longer: then the server cuts it off. */
export async function takeSign({ storage, now, log }: Services, sign: Sign): Promise<void> {
  const work = (tx: Db) => (sign.says === "ends" ? end(tx, sign) : keepOnAir(tx, sign, now()));
  try {
    await storage.write(work);
  } catch (err) {
    // Whoever is on air isn't to be cut off for a trouble of ours.
    if (sign.says === "begins" || !(err instanceof Overloaded)) throw err;
    log.warn({ err }, "what a streaming server said could not be noted just now");
  }
}

/**
 * One that runs and isn't known to is as good as one that begins: the service may have been away. There is one at a time
 * under a key, and the first that was there stays.
 */
async function keepOnAir(tx: Db, { says, stream, key, client }: Sign, now: number): Promise<void> {
  const owner = await ownerOf(tx, stream, key);
  if (!owner) throw new ApiError("forbidden", "This is no stream key, or no longer.");
  if (owner.suspended_until !== null && owner.suspended_until > now)
    throw new ApiError("forbidden", "This account is suspended.");
  if (owner.paused === 1) throw new ApiError("forbidden", "This agent is paused.");
  if (says === "waits") return;
  // Hooks may overtake one another: its end is its end.
  if (says === "runs" && owner.ended_client === client)
    throw new ApiError("forbidden", "This stream has ended.");
  const there = await onAir(tx, owner.user_id);
  const runs = there?.last_sign_at != null && there.last_sign_at > now - SILENCE;
  if (runs && there.client !== client)
    throw new ApiError("forbidden", "A stream under this key is on air already.");
  const heard = { title: owner.title, stream, client, last_sign_at: now };
  await tx
    .insertInto("lives")
    .values({ user_id: owner.user_id, started_at: now, ...heard })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(runs ? { last_sign_at: now } : { started_at: now, ...heard }),
    )
    .execute();
  // A connection may end one stream and begin another.
  if (owner.ended_client === client) await noteEnd(tx, owner.user_id, null);
}

function onAir(tx: Db, userId: number) {
  return tx
    .selectFrom("lives")
    .select(["client", "last_sign_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Only the connection that it comes through ends it: one that was refused ends, too. */
async function end(tx: Db, { stream, key, client }: Sign): Promise<void> {
  const owner = await ownerOf(tx, stream, key);
  if (!owner) return;
  const ended = await tx
    .deleteFrom("lives")
    .where("user_id", "=", owner.user_id)
    .where("client", "=", client)
    .returning("user_id")
    .executeTakeFirst();
  if (ended) await noteEnd(tx, owner.user_id, client);
}

async function noteEnd(tx: Db, userId: number, client: string | null): Promise<void> {
  await tx.updateTable("stream_keys").set({ ended_client: client }).where("user_id", "=", userId).execute();
}
