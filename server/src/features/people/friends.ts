import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { findOther } from "../accounts/find-account.ts";
import { lockPair } from "./block-check.ts";
import { areFriends, endFriendship } from "./friends.queries.ts";

export const friends = {
  listFriends: async (ctx, { cursor }) => {
    const rows = await friendsOf(ctx.read, ctx.caller.userId, cursor ?? MAX_ID);
    const { page, nextCursor } = pageOf(ctx, rows, limits.longList);
    return {
      friends: page.map((row) => ({
        username: row.username,
        displayName: row.display_name,
        avatarUrl: row.avatar_url,
        since: new Date(row.since).toISOString(),
      })),
      nextCursor,
    };
  },
  removeFriend: (ctx, { username }) =>
    ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      const other = await findOther(tx, ctx.caller, username);
      await lockPair(tx, userId, other.id);
      // A pending request isn't a friendship; it is withdrawn or declined instead.
      if (await areFriends(tx, userId, other.id)) await endFriendship(tx, userId, other.id);
      return { friends: false } as const;
    }),
} satisfies Handlers<"listFriends" | "removeFriend">;

function friendsOf(db: Db, userId: number, below: number) {
  return db
    .selectFrom("friendships as f")
    .innerJoin("users as u", "u.id", "f.friend_id")
    .select(["u.id", "u.username", "u.display_name", "u.avatar_url", "f.since"])
    .where("f.user_id", "=", userId)
    .where("f.friend_id", "<", below)
    .orderBy("f.friend_id", "desc")
    .limit(limits.longList + 1)
    .execute();
}
