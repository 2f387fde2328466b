import { limits } from "@tandem/contract/limits";
import type { ResponseOf } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Live } from "@tandem/contract/resources";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { playlistPath } from "../../http/serve-live.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { SILENCE_TIMEOUT } from "./on-air.ts";
import { findOrCreateStream } from "./stream-keys.ts";

export const live = {
  listLives: async (ctx) => {
    const { config } = ctx.services;
    const rows = await ctx.read
      .selectFrom("lives as l")
      .innerJoin("users as u", "u.id", "l.user_id")
      .select(["u.username", "u.role", "l.title"])
      // With a streaming server, list only streams that it reported recently. Without one, list those started by their users.
      .where((eb) =>
        config.streaming
          ? eb("l.last_sign_at", ">", ctx.now - SILENCE_TIMEOUT)
          : eb("l.last_sign_at", "is", null),
      )
      .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", ctx.now)]))
      .where("u.paused", "=", 0)
      .orderBy("l.started_at", "desc")
      .orderBy("l.user_id", "desc")
      .limit(limits.longList)
      .execute();
    return {
      lives: rows.map(({ role, ...row }) => asLive(ctx.services, { ...row, isAgent: role === "agent" })),
    };
  },
  startLive: (ctx, { title }) =>
    ctx.write((tx) =>
      ctx.services.config.streaming ? prepareStream(ctx, tx, title) : listImmediately(ctx, tx, title),
    ),
  endLive: (ctx) =>
    ctx.write(async (tx) => {
      // Lock order: as in the streaming server's hooks.
      for (const table of ["stream_keys", "lives"] as const)
        await tx.deleteFrom(table).where("user_id", "=", ctx.caller.userId).execute();
      return { ended: true };
    }),
} satisfies Handlers<"listLives" | "startLive" | "endLive">;

type Started = ResponseOf<Operations["startLive"]>;

/** Without a streaming server, a user is listed as live until they end it. */
async function listImmediately({ services, caller, now }: SignedIn, tx: Db, title: string): Promise<Started> {
  const { userId, username, isAgent } = caller;
  await addLive(tx, userId, title, now);
  return { live: asLive(services, { username, isAgent, title }), ingest: null };
}

/** Lists an account as live, without a streaming server. */
export async function addLive(tx: Db, userId: number, title: string, now: number): Promise<void> {
  // Clears what a formerly configured streaming server reported.
  const withoutServer = { stream: null, client: null, last_sign_at: null };
  await tx
    .insertInto("lives")
    .values({ user_id: userId, title, started_at: now, ...withoutServer })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ title, ...withoutServer }))
    .execute();
}

/** With a streaming server, the user is listed when their stream starts. A stream that is already live gets the new title immediately. */
async function prepareStream({ services, caller }: SignedIn, tx: Db, title: string): Promise<Started> {
  const ingest = await findOrCreateStream(tx, services.config, caller.userId, title);
  await tx.updateTable("lives").set({ title }).where("user_id", "=", caller.userId).execute();
  const { username, isAgent } = caller;
  return { live: asLive(services, { username, isAgent, title }), ingest };
}

function asLive(
  { baseUrl }: Services,
  { username, isAgent, title }: { username: string; isAgent: boolean; title: string },
): Live {
  const hlsUrl = `${baseUrl}${playlistPath(username)}`;
  // Keys can't go live, so all that an agent's stream shows is by the agent.
  return { username, title, hlsUrl, isAiGenerated: isAgent };
}
