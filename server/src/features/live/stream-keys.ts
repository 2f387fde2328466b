import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Answer } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Config } from "../../config.ts";
import { tokenHash } from "../../http/credential.ts";
import type { StreamKeyRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";

type Ingest = Answer<Operations["startLive"]>["ingest"];

/**
 * The name that the account's streams have, under this title. Where it has none yet it gets one, with a key, which is
 * told this once.
 *
 * The name is public, for what is played is found under it; so the key stands apart from it, as an address's query does:
 * streaming servers take the one for the stream, and pass on the other.
 */
export async function nameOrMake(
  tx: Db,
  { streaming }: Config,
  userId: number,
  title: string,
): Promise<{ stream: string; ingest: Ingest }> {
  const made = { stream: randomBytes(12).toString("hex"), key: randomBytes(24).toString("base64url") };
  const { stream } = await tx
    .insertInto("stream_keys")
    .values({ user_id: userId, stream: made.stream, hash: tokenHash(made.key), title })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ title }))
    .returning("stream")
    .executeTakeFirstOrThrow();
  if (!streaming || stream !== made.stream) return { stream, ingest: null };
  return { stream, ingest: { url: streaming.ingestUrl, streamKey: `${stream}?key=${made.key}` } };
}

interface Owner extends Pick<StreamKeyRow, "user_id" | "title" | "ended_client"> {
  suspended_until: number | null;
  paused: number;
}

/** Whose stream it is, and its title; null where the key isn't that of the name. Held until the transaction ends. */
export async function ownerOf(tx: Db, stream: string, key: string): Promise<Owner | null> {
  const row = await tx
    .selectFrom("stream_keys as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["s.user_id", "s.title", "s.ended_client", "s.hash", "u.suspended_until", "u.paused"])
    .where("s.stream", "=", stream)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate("s"))
    .executeTakeFirst();
  return row && timingSafeEqual(Buffer.from(row.hash), Buffer.from(tokenHash(key))) ? row : null;
}
