import { randomBytes } from "node:crypto";
import type { ParkedSession } from "@tandem/contract/account-resources";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import {
  operatorCookie,
  PARKED,
  parkedHash,
  SESSION_LIFE,
  sessionOf,
  tokenHash,
} from "../../http/credential.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "./accounts.queries.ts";

/*
 * While a browser acts as an agent, its user may be a program. So the operator's session ends when it starts, and leaves a
 * parked one: a row that no token opens, and a handle in a cookie. The handle only tells the login page which account to
 * log in to. To return, the operator logs in as usual.
 */

export const parkedSessions = {
  async readParkedSession(ctx) {
    const { handle } = sessionOf(ctx.cookies());
    return { parked: handle === null ? null : await readParked(ctx.read, handle, ctx.now) };
  },
} satisfies Handlers<"readParkedSession">;

/** Ends the caller's session in this browser, and leaves a parked one. The caller's account must be locked. */
export async function parkSession(ctx: SignedIn, tx: Db): Promise<void> {
  const { caller, now } = ctx;
  // Another row, so that whatever still uses the session's id finds it ended: streams, push subscriptions, slow uploads.
  const ended = await tx
    .deleteFrom("sessions")
    .where("id", "=", caller.sessionId ?? 0)
    .returning(["created_at", "device"])
    .executeTakeFirst();
  const handle = randomBytes(32).toString("base64url");
  await tx
    .insertInto("sessions")
    .values({
      token_hash: parkedHash(handle),
      user_id: caller.userId,
      created_at: ended?.created_at ?? now,
      expires_at: now + SESSION_LIFE,
      last_used_at: now,
      device: ended?.device ?? null,
    })
    .execute();
  ctx.setCookie(operatorCookie(handle));
}

/** Ends a browser's parked session, and its session as an agent, when someone logs in with it. */
export async function endReplacedSessions(ctx: Context, tx: Db, userId: number): Promise<void> {
  const { token, handle } = sessionOf(ctx.cookies());
  if (handle === null) return;
  ctx.setCookie(operatorCookie(null));
  await tx.deleteFrom("sessions").where("token_hash", "=", parkedHash(handle)).execute();
  if (token === null) return;
  const asAgent = await tx
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["s.id", "s.user_id"])
    .where("s.token_hash", "=", tokenHash(token))
    .where("u.operator_id", "=", userId)
    .executeTakeFirst();
  if (!asAgent) return;
  await lockAccount(tx, asAgent.user_id);
  await tx.deleteFrom("sessions").where("id", "=", asAgent.id).execute();
}

export function isParked({ token_hash }: { token_hash: string }): boolean {
  return token_hash.startsWith(PARKED);
}

async function readParked(db: Db, handle: string, now: number): Promise<ParkedSession | null> {
  const person = await db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["u.id", "u.username", "u.display_name", "u.avatar_url", "u.password_hash"])
    .select((eb) =>
      eb
        .exists(eb.selectFrom("passkeys as p").select("p.id").whereRef("p.user_id", "=", "u.id"))
        .as("has_passkey"),
    )
    .where("s.token_hash", "=", parkedHash(handle))
    .where("s.expires_at", ">", now)
    .where("u.removing_at", "is", null)
    .executeTakeFirst();
  if (!person) return null;
  const identities = await db
    .selectFrom("identities")
    .select("provider")
    .where("user_id", "=", person.id)
    .orderBy("provider")
    .execute();
  return {
    username: person.username,
    displayName: person.display_name,
    avatarUrl: person.avatar_url,
    hasPassword: person.password_hash !== null,
    hasPasskey: Boolean(person.has_passkey),
    providers: identities.map(({ provider }) => provider),
  };
}
