import type { Session } from "@tandem/contract/account-resources";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "./accounts.queries.ts";
import { isParked } from "./parked-sessions.ts";
import { endSessions } from "./sessions.ts";

export const sessionList = {
  listSessions: async (ctx) => ({ sessions: await readSessions(ctx) }),
  endSession: (ctx, input) => ctx.write((tx) => end(ctx, tx, input)),
} satisfies Handlers<"listSessions" | "endSession">;

/** The account's sessions and those as its agents: anyone who can use an agent also acts for the account. */
function ownSessions(db: Db, userId: number) {
  return db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .where((eb) => eb.or([eb("u.id", "=", userId), eb("u.operator_id", "=", userId)]));
}

async function readSessions({ read, caller, now }: SignedIn): Promise<Session[]> {
  const rows = await ownSessions(read, caller.userId)
    .select(["s.id", "s.user_id", "s.token_hash", "s.device", "s.created_at", "s.last_used_at"])
    .where("s.expires_at", ">", now)
    .orderBy("s.last_used_at", "desc")
    .orderBy("s.id", "desc")
    .limit(limits.longList)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    current: row.id === caller.sessionId,
    device: row.device,
    agentId: row.user_id === caller.userId ? null : row.user_id,
    parked: isParked(row),
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at ?? row.created_at).toISOString(),
  }));
}

async function end(ctx: SignedIn, tx: Db, { id, others }: Input<Operations["endSession"]>) {
  const { userId, sessionId } = ctx.caller;
  if (others ? id !== undefined : id === undefined) throw invalid("id", "Send either id or others.");
  if (id === undefined) await endSessions(tx, userId, sessionId);
  else await endById(tx, userId, id);
  return { ended: true } as const;
}

/** Throws `not_found` if neither the account nor an agent of it has this session. */
async function endById(tx: Db, userId: number, id: number): Promise<void> {
  const session = await ownSessions(tx, userId)
    .select(["s.id", "s.user_id"])
    .where("s.id", "=", id)
    .executeTakeFirst();
  if (!session) throw notFound("session", "You have no session with this id.");
  await lockAccount(tx, session.user_id);
  await tx.deleteFrom("sessions").where("id", "=", id).execute();
}
