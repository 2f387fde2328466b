import { randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import {
  operatorCookie,
  PARKED,
  SESSION_LIFE,
  sessionCookie,
  sessionOf,
  tokenHash,
} from "../../http/credential.ts";
import { notePosition } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, lockCaller, readUser } from "./accounts.queries.ts";
import { rememberPlaces } from "./known-places.ts";
import { endReplacedSessions, parkSession } from "./parked-sessions.ts";

export const sessions = {
  me: async (ctx) => ({ user: await readUser(ctx.read, ctx.caller.userId) }),
  logOut: (ctx) => ctx.write((tx) => logOut(ctx, tx)),
} satisfies Handlers<"me" | "logOut">;

/** In an agent's session, the handle of the operator's parked one stays. */
async function logOut(ctx: SignedIn, tx: Db): Promise<{ ok: true }> {
  const { caller, setCookie } = ctx;
  // Lock before the session's push subscriptions are deleted with it, as in endSessions.
  await lockAccount(tx, caller.userId);
  if (caller.sessionId !== null) await tx.deleteFrom("sessions").where("id", "=", caller.sessionId).execute();
  setCookie(sessionCookie(null));
  if (!caller.isAgent && sessionOf(ctx.cookies()).handle !== null) setCookie(operatorCookie(null));
  return { ok: true };
}

/** Begins a session for an account that has logged in, and sets its cookie. */
export async function beginSession(ctx: Context, tx: Db, userId: number) {
  ctx.concerns("user", userId);
  await endReplacedSessions(ctx, tx, userId);
  const response = await addSession(ctx, tx, userId);
  await rememberPlaces(ctx, tx, userId);
  return response;
}

async function addSession(ctx: Context, tx: Db, userId: number) {
  // An opaque token of 256 bits; only its hash is stored.
  const token = randomBytes(32).toString("base64url");
  await tx
    .insertInto("sessions")
    .values({
      token_hash: tokenHash(token),
      user_id: userId,
      created_at: ctx.now,
      expires_at: ctx.now + Math.min(SESSION_LIFE, ctx.services.config.sessionLife),
      last_used_at: ctx.now,
      proven_at: ctx.now,
      device: ctx.device,
    })
    .execute();
  await endSurplus(tx, userId);
  await notePosition(tx, userId, ctx.now);
  ctx.setCookie(sessionCookie(token));
  return { user: await readUser(tx, userId) };
}

/** Begins a session as one of the caller's agents, in place of the caller's own, which is parked. */
export async function beginAgentSession(ctx: SignedIn, tx: Db, agentId: number) {
  const { caller } = ctx;
  // Ending all of the caller's sessions also ends its agents'. So none may begin from a session that ends meanwhile.
  await lockCaller(tx, caller);
  await parkSession(ctx, tx);
  await endSurplus(tx, caller.userId);
  return addSession(ctx, tx, agentId);
}

/** Ends the least recently used sessions beyond the account's limit, parked ones first. */
async function endSurplus(tx: Db, userId: number): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy(sql`case when token_hash like ${`${PARKED}%`} then 1 else 0 end`)
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
