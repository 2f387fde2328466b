import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ResponseOf } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Config } from "../../config.ts";
import { tokenHash } from "../../http/credential.ts";
import type { StreamKeyRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";

/** What the next stream shows. */
export interface NextStream {
  title: string;
  /** Unchanged if undefined. */
  post_id?: number | null;
}

type Ingest = ResponseOf<Operations["startLive"]>["ingest"];

/**
 * Sets what the account's next stream shows. On first use, creates the stream's name and key, and returns where to send the stream;
 * null afterwards.
 *
 * The name is public, as it is part of the segments' URLs. The secret key is therefore passed separately, like a URL's query:
 * streaming servers use the name for the stream and forward the key to our hooks.
 */
export async function findOrCreateStream(
  tx: Db,
  { streaming }: Config,
  userId: number,
  next: NextStream,
): Promise<Ingest> {
  const candidate = { stream: randomBytes(12).toString("hex"), key: randomBytes(24).toString("base64url") };
  const { stream } = await tx
    .insertInto("stream_keys")
    .values({ user_id: userId, stream: candidate.stream, hash: tokenHash(candidate.key), ...next })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(next))
    .returning("stream")
    .executeTakeFirstOrThrow();
  if (!streaming || stream !== candidate.stream) return null;
  return { url: streaming.ingestUrl, streamKey: `${stream}?key=${candidate.key}` };
}

interface Owner extends Pick<StreamKeyRow, "user_id" | "title" | "post_id" | "ended_client"> {
  suspended_until: number | null;
  paused: number;
}

/** The owner and title of a stream, locked until the transaction ends. Null if the key doesn't match the stream name. */
export async function ownerOf(tx: Db, stream: string, key: string): Promise<Owner | null> {
  const row = await tx
    .selectFrom("stream_keys as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select([
      "s.user_id",
      "s.title",
      "s.post_id",
      "s.ended_client",
      "s.hash",
      "u.suspended_until",
      "u.paused",
    ])
    .where("s.stream", "=", stream)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate("s"))
    .executeTakeFirst();
  return row && timingSafeEqual(Buffer.from(row.hash), Buffer.from(tokenHash(key))) ? row : null;
}
