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

/** Logging out of an agent's session switches back to the operator's session, if this browser still has it. */
async function logOut(ctx: SignedIn, tx: Db): Promise<{ ok: true }> {
  const { caller, cookies } = ctx;
  // Lock before the session's push subscriptions are deleted with it, as in endSessions.
  await lockAccount(tx, caller.userId);
  if (caller.sessionId !== null) await tx.deleteFrom("sessions").where("id", "=", caller.sessionId).execute();
  const { own, operator } = sessionOf(cookies);
  const switchBack =
    own !== null && caller.isAgent && operator && (await isOperators(tx, operator, caller.userId, ctx.now));
  ctx.setCookie(sessionCookie(switchBack ? operator : null));
  if (operator) ctx.setCookie(operatorCookie(null));
  return { ok: true };
}

/** Whether this is the token of a live session of the agent's operator. */
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

/** Begins a session for an account and sets its cookie. */
export async function beginSession(ctx: Context, tx: Db, userId: number) {
  // An opaque token of 256 bits; only its hash is stored.
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

/** Begins a session as one of the caller's agents. A second cookie keeps the caller's own session, to switch back to. */
export async function beginAgentSession(ctx: SignedIn, tx: Db, agentId: number) {
  const { caller, cookies } = ctx;
  // Ending all of the caller's sessions also ends its agents'. So none may begin from a session that ends meanwhile.
  await lockAccount(tx, caller.userId);
  if (!(await recheckCredentials(tx, [caller])).has(caller)) throw new ApiError("unauthorized");
  const { own } = sessionOf(cookies);
  if (own) ctx.setCookie(operatorCookie(own));
  return beginSession(ctx, tx, agentId);
}

/** Ends the least recently used sessions beyond the account's limit. */
async function endSurplus(tx: Db, userId: number): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("expires_at", "desc")
        .orderBy("id", "desc")
        .limit(limits.sessionsPerAccount),
    )
    .execute();
}

/** Ends the sessions of an account and its agents, except the given one. */
export async function endSessions(tx: Db, userId: number, exceptSession: number | null): Promise<void> {
  // This also deletes the sessions' push subscriptions. Their sender locks the account first; so must this, or they deadlock.
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
    .$if(exceptSession !== null, (query) => query.where("id", "<>", exceptSession))
    .execute();
}
