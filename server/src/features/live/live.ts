import { limits } from "@tandem/contract/limits";
import type { Answer } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Live } from "@tandem/contract/resources";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { SILENCE } from "./on-air.ts";
import { nameOrMake } from "./stream-keys.ts";

export const live = {
  listLives: async (ctx) => {
    const { config } = ctx.services;
    const rows = await ctx.read
      .selectFrom("lives as l")
      .innerJoin("users as u", "u.id", "l.user_id")
      .select(["u.username", "l.title", "l.stream"])
      // Where a server tells who is on air, nobody else's word counts for that, nor does a server's own of long ago.
      .where((eb) =>
        config.streaming ? eb("l.last_sign_at", ">", ctx.now - SILENCE) : eb("l.last_sign_at", "is", null),
      )
      .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", ctx.now)]))
      .where("u.paused", "=", 0)
      .orderBy("l.started_at", "desc")
      .orderBy("l.user_id", "desc")
      .limit(limits.longList)
      .execute();
    return {
      lives: rows.map(({ username, title, stream }) => asLive(ctx.services, username, title, stream)),
    };
  },
  startLive: (ctx, { title }) =>
    ctx.write((tx) => (ctx.services.config.streaming ? announce(ctx, tx, title) : list(ctx, tx, title))),
  endLive: (ctx) =>
    ctx.write(async (tx) => {
      // In this order, as hooks take them.
      for (const table of ["stream_keys", "lives"] as const)
        await tx.deleteFrom(table).where("user_id", "=", ctx.caller.userId).execute();
      return { ended: true };
    }),
} satisfies Handlers<"listLives" | "startLive" | "endLive">;

type Started = Answer<Operations["startLive"]>;

/** Without a streaming server, whoever says so is live. */
async function list({ services, caller, now }: SignedIn, tx: Db, title: string): Promise<Started> {
  const { userId, username } = caller;
  // A server that there was once tells nothing more of it.
  const byWord = { stream: null, client: null, last_sign_at: null };
  await tx
    .insertInto("lives")
    .values({ user_id: userId, title, started_at: now, ...byWord })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ title, ...byWord }))
    .execute();
  return { live: asLive(services, username, title, null), ingest: null };
}

/** With one, the stream begins it; what is on air already has a new title at once. */
async function announce({ services, caller }: SignedIn, tx: Db, title: string): Promise<Started> {
  const { stream, ingest } = await nameOrMake(tx, services.config, caller.userId, title);
  await tx.updateTable("lives").set({ title }).where("user_id", "=", caller.userId).execute();
  return { live: asLive(services, caller.username, title, stream), ingest };
}

function asLive({ config, baseUrl }: Services, username: string, title: string, stream: string | null): Live {
  const place = config.liveUrl ?? `${baseUrl}/live`;
  return { username, title, hlsUrl: `${place}/${encodeURIComponent(stream ?? username)}/index.m3u8` };
}
