import { randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { ApiError } from "../../http/api-error.ts";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import {
  operatorCookie,
  recheckCredentials,
  SESSION_LIFE,
  sessionCookie,
  sessionOf,
  tokenHash,
} from "../../http/credential.ts";
import { notePosition } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "./accounts.queries.ts";

export const sessions = {
  me: async (ctx) => ({ user: await readUser(ctx.read, ctx.caller.userId) }),
  logOut: (ctx) => ctx.write((tx) => logOut(ctx, tx)),
} satisfies Handlers<"me" | "logOut">;

/** Out of a session as an agent one comes back to one's own, if this browser still has it. */
async function logOut(ctx: SignedIn, tx: Db): Promise<{ ok: true }> {
  const { caller, cookies } = ctx;
  // Before the browser that goes with it, as in endSessions.
  await lockAccount(tx, caller.userId);
  if (caller.sessionId !== null) await tx.deleteFrom("sessions").where("id", "=", caller.sessionId).execute();
  const { own, operator } = sessionOf(cookies);
  const back =
    own !== null && caller.isAgent && operator && (await isOperators(tx, operator, caller.userId, ctx.now));
  ctx.setCookie(sessionCookie(back ? operator : null));
  if (operator) ctx.setCookie(operatorCookie(null));
  return { ok: true };
}

async function isOperators(tx: Db, token: string, agentId: number, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom("sessions")
    .innerJoin("users as agent", "agent.operator_id", "sessions.user_id")
    .select("sessions.id")
    .where("sessions.token_hash", "=", tokenHash(token))
    .where("sessions.expires_at", ">", now)
    .where("agent.id", "=", agentId)
    .executeTakeFirst();
  return row !== undefined;
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
      last_used_at: ctx.now,
      device: ctx.device,
    })
    .execute();
  await endSurplus(tx, userId);
  await notePosition(tx, userId, ctx.now);
  ctx.setCookie(sessionCookie(token));
  return { user: await readUser(tx, userId) };
}

/** Begins a session as an agent of the caller's. The caller's own stays, beside it in the browser, to come back to. */
export async function beginAgentSession(ctx: SignedIn, tx: Db, agentId: number) {
  const { caller, cookies } = ctx;
  // Whoever ends all of the caller's sessions ends those as its agents: none begins by one that ends meanwhile.
  await lockAccount(tx, caller.userId);
  if (!(await recheckCredentials(tx, [caller])).has(caller)) throw new ApiError("unauthorized");
  const { own } = sessionOf(cookies);
  if (own) ctx.setCookie(operatorCookie(own));
  return beginSession(ctx, tx, agentId);
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

/** Ends the sessions of an account and those as its agents; all but one, if that is named. */
export async function endSessions(tx: Db, userId: number, but: number | null): Promise<void> {
  // Browsers that are pushed to go with them, and whoever tells them something has the account first.
  await lockAccount(tx, userId);
  await tx
    .deleteFrom("sessions")
    .where((eb) =>
      eb(
        "user_id",
        "in",
        eb
          .selectFrom("users")
          .select("id")
          .where((u) => u.or([u("id", "=", userId), u("operator_id", "=", userId)])),
      ),
    )
    .$if(but !== null, (query) => query.where("id", "<>", but))
    .execute();
}
