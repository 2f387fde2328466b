import { limits } from "@tandem/contract/limits";
import type { Live } from "@tandem/contract/resources";
import type { Handlers } from "../../http/context.ts";
import type { House } from "../../http/house.ts";

export const live = {
  listLives: async (ctx) => {
    const rows = await ctx.read
      .selectFrom("lives as l")
      .innerJoin("users as u", "u.id", "l.user_id")
      .select(["u.username", "l.title"])
      .orderBy("l.started_at", "desc")
      .orderBy("l.user_id", "desc")
      .limit(limits.longList)
      .execute();
    return { lives: rows.map(({ username, title }) => asLive(ctx.house, username, title)) };
  },
  startLive: (ctx, { title }) =>
    ctx.write(async (tx) => {
      await tx
        .insertInto("lives")
        .values({ user_id: ctx.caller.userId, title, started_at: ctx.now })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ title }))
        .execute();
      return { live: asLive(ctx.house, ctx.caller.username, title) };
    }),
  endLive: (ctx) =>
    ctx.write(async (tx) => {
      await tx.deleteFrom("lives").where("user_id", "=", ctx.caller.userId).execute();
      return { ended: true };
    }),
} satisfies Handlers<"listLives" | "startLive" | "endLive">;

function asLive({ config, baseUrl }: House, username: string, title: string): Live {
  const hlsUrl = `${config.liveUrl ?? `${baseUrl}/live`}/${encodeURIComponent(username)}/index.m3u8`;
  return { username, title, hlsUrl };
}
