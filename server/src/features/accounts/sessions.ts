import { randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import { SESSION_LIFE, sessionCookie, tokenHash } from "../../http/credential.ts";
import { notePosition } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import { readUser } from "./accounts.queries.ts";

export const sessions = {
  me: async (ctx) => ({ user: await readUser(ctx.read, ctx.caller.userId) }),
  logOut: (ctx) => ctx.write((tx) => endSession(ctx, tx)),
} satisfies Handlers<"me" | "logOut">;

async function endSession(ctx: SignedIn, tx: Db): Promise<{ ok: true }> {
  if (ctx.caller.sessionId !== null)
    await tx.deleteFrom("sessions").where("id", "=", ctx.caller.sessionId).execute();
  ctx.setCookie(sessionCookie(null));
  return { ok: true };
}

/** Begins a session for an account; its cookie goes out with the answer. */
export async function beginSession(ctx: Context, tx: Db, userId: number) {
  // 256 bits that say nothing; the table keeps their hash alone (decisions: Sessions).
  const token = randomBytes(32).toString("base64url");
  await tx
    .insertInto("sessions")
    .values({
      token_hash: tokenHash(token),
      user_id: userId,
      created_at: ctx.now,
      expires_at: ctx.now + SESSION_LIFE,
    })
    .execute();
  await endSurplus(tx, userId);
  await notePosition(tx, userId, ctx.now);
  ctx.setCookie(sessionCookie(token));
  return { user: await readUser(tx, userId) };
}

/** Of more sessions than an account may have, those go that were left alone the longest. */
async function endSurplus(tx: Db, userId: number): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "not in", (kept) =>
      kept
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("expires_at", "desc")
        .orderBy("id", "desc")
        .limit(limits.sessionsPerAccount),
    )
    .execute();
}
