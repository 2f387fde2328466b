import { limits } from "@tandem/contract/limits";
import type { Input, ResponseOf } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Live } from "@tandem/contract/resources";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { playlistPath, thumbnailPath } from "../../http/serve-live.ts";
import type { Db } from "../../storage/storage.ts";
import { findPost, requireOwn } from "../posts/posts.queries.ts";
import { isMutedWriting, mutesOf } from "../shared/mutes.ts";
import { logCurrent, logCurrentDeletions } from "../transparency-log/current.ts";
import { SILENCE_TIMEOUT } from "./on-air.ts";
import { findOrCreateStream, type NextStream } from "./stream-keys.ts";
import { thumbnailPeriod } from "./thumbnails.ts";
import { countViewers } from "./viewers.ts";

export const live = {
  listLives: async (ctx) => {
    const { services, now } = ctx;
    const listed = await selectLives(ctx.read)
      // With a streaming server, list only streams that it reported recently. Without one, list those started by their users.
      .where((eb) =>
        services.config.streaming
          ? eb("l.last_sign_at", ">", now - SILENCE_TIMEOUT)
          : eb("l.last_sign_at", "is", null),
      )
      .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", now)]))
      .where("u.paused", "=", 0)
      .orderBy("l.started_at", "desc")
      .orderBy("l.user_id", "desc")
      .limit(limits.longList)
      .execute();
    const mutes = await mutesOf(ctx.read, ctx.caller, now);
    const rows = listed.filter(({ user_id, title }) => !mutes || !isMutedWriting(mutes, user_id, [title]));
    const viewers = await countViewers(
      ctx.read,
      rows.map(({ user_id }) => user_id),
      now,
    );
    return { lives: rows.map((row) => asLive(ctx, row, viewers)) };
  },
  startLive: (ctx, input) =>
    ctx.write(async (tx) => {
      const next = await nextStream(ctx, tx, input);
      return ctx.services.config.streaming ? prepareStream(ctx, tx, next) : listImmediately(ctx, tx, next);
    }),
  endLive: (ctx) =>
    ctx.write(async (tx) => {
      // Lock order: as in the streaming server's hooks.
      for (const table of ["stream_keys", "lives"] as const)
        await tx.deleteFrom(table).where("user_id", "=", ctx.caller.userId).execute();
      await logCurrentDeletions(tx, "live", [ctx.caller.userId]);
      return { ended: true };
    }),
} satisfies Handlers<"listLives" | "startLive" | "endLive">;

type Started = ResponseOf<Operations["startLive"]>;

/** Throws `not_found` or `forbidden` unless the post is the caller's. */
async function nextStream(
  { caller }: SignedIn,
  tx: Db,
  { title, postId }: Input<Operations["startLive"]>,
): Promise<NextStream> {
  if (postId === undefined) return { title };
  if (postId !== null) requireOwn(await findPost(tx, postId), caller);
  return { title, post_id: postId };
}

/** Without a streaming server, a user is listed as live until they end it. */
async function listImmediately(ctx: SignedIn, tx: Db, next: NextStream): Promise<Started> {
  const { userId } = ctx.caller;
  await addLive(tx, userId, next, ctx.now);
  await logCurrent(tx, "live", userId, ctx.now);
  const row = await selectLives(tx).where("l.user_id", "=", userId).executeTakeFirstOrThrow();
  return { live: asLive(ctx, row, await countViewers(tx, [userId], ctx.now)), ingest: null };
}

/** Lists an account as live, without a streaming server. */
export async function addLive(tx: Db, userId: number, next: NextStream, now: number): Promise<void> {
  // Clears what a formerly configured streaming server reported.
  const values = { ...next, stream: null, client: null, last_sign_at: null };
  await tx
    .insertInto("lives")
    .values({ user_id: userId, started_at: now, ...values })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute();
}

/** With a streaming server, the user is listed when their stream starts. A stream that is already live changes immediately. */
async function prepareStream(ctx: SignedIn, tx: Db, next: NextStream): Promise<Started> {
  const { userId } = ctx.caller;
  const ingest = await findOrCreateStream(tx, ctx.services.config, userId, next);
  const [changed] = await tx
    .updateTable("lives")
    .set(next)
    .where("user_id", "=", userId)
    .returning("user_id")
    .execute();
  if (changed) await logCurrent(tx, "live", userId, ctx.now);
  const running = await selectLives(tx).where("l.user_id", "=", userId).executeTakeFirst();
  const waiting = await tx
    .selectFrom("stream_keys as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .leftJoin("posts as p", (join) => join.onRef("p.id", "=", "s.post_id").on("p.removed", "=", 0))
    .select([...broadcasterColumns, "p.id as post_id"])
    .where("s.user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const facts = running ?? { ...waiting, title: next.title, started_at: null };
  return { live: asLive(ctx, facts, await countViewers(tx, [userId], ctx.now)), ingest };
}

const broadcasterColumns = [
  "u.id as user_id",
  "u.username",
  "u.display_name",
  "u.avatar_url",
  "u.role",
] as const;

function selectLives(db: Db) {
  return (
    db
      .selectFrom("lives as l")
      .innerJoin("users as u", "u.id", "l.user_id")
      // The post may have been deleted, or removed by a moderator.
      .leftJoin("posts as p", (join) => join.onRef("p.id", "=", "l.post_id").on("p.removed", "=", 0))
      .select([...broadcasterColumns, "l.title", "l.started_at", "p.id as post_id"])
  );
}

interface LiveFacts {
  user_id: number;
  username: string;
  display_name: string | null;
  avatar_url: string | null;
  role: string;
  title: string;
  started_at: number | null;
  post_id: number | null;
}

function asLive(
  { services: { baseUrl, config }, now }: Pick<SignedIn, "services" | "now">,
  { user_id, username, display_name, avatar_url, role, title, started_at, post_id }: LiveFacts,
  viewers: ReadonlyMap<number, number>,
): Live {
  const hasStream = started_at !== null && (config.streaming || config.liveUrl);
  return {
    username,
    displayName: display_name,
    avatarUrl: avatar_url,
    title,
    hlsUrl: `${baseUrl}${playlistPath(username)}`,
    // Keys can't go live, so all that an agent's stream shows is by the agent.
    isAiGenerated: role === "agent",
    startedAt: started_at === null ? null : new Date(started_at).toISOString(),
    viewers: viewers.get(user_id) ?? 0,
    thumbnailUrl: hasStream ? `${baseUrl}${thumbnailPath(username)}?at=${thumbnailPeriod(now)}` : null,
    postId: post_id,
  };
}
