import { ECDH } from "node:crypto";
import { isIP } from "node:net";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { PushSubscription } from "@tandem/contract/push";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { enqueue } from "../../events/outbox.ts";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { isAllowedAddress } from "../../outgoing/public-address.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { pushKeysOf } from "./push-keys.ts";
import { requireAllowedUrl } from "./webhooks.ts";

export const pushSubscriptions = {
  listPushSubscriptions: async (ctx) => {
    const { publicKey } = await pushKeysOf(ctx.services);
    const rows = await ownSubscriptions(ctx.read, ctx.caller.userId)
      .where("s.expires_at", ">", ctx.now)
      .orderBy("w.id", "desc")
      .limit(limits.pushSubscriptionsPerAccount)
      .execute();
    return { applicationServerKey: publicKey, subscriptions: rows.map((row) => asSubscription(ctx, row)) };
  },
  subscribeToPush: async (ctx, input) => {
    const endpoint = requireAllowedEndpoint(ctx, input.endpoint);
    requireValidKey(input.p256dh);
    return ctx.write(async (tx) => {
      const id = await subscribe(ctx, tx, { ...input, endpoint });
      return { subscription: asSubscription(ctx, await readOwn(tx, id, ctx.caller.userId)) };
    });
  },
  endPushSubscription: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await readOwn(tx, id, ctx.caller.userId);
      await tx.deleteFrom("webhooks").where("id", "=", id).execute();
      return { ended: true };
    }),
  testPush: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const row = await readOwn(tx, id, ctx.caller.userId);
      await enqueue(tx, [id], [{ type: TEST_TYPE, at: ctx.now, data: {} }]);
      return { subscription: asSubscription(ctx, row) };
    }),
} satisfies Handlers<"listPushSubscriptions" | "subscribeToPush" | "endPushSubscription" | "testPush">;

function ownSubscriptions(db: Db, userId: number) {
  return db
    .selectFrom("webhooks as w")
    .innerJoin("sessions as s", "s.id", "w.session_id")
    .select(["w.id", "w.session_id", "w.failing_since", "w.created_at", "s.device"])
    .where("w.owner_id", "=", userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof ownSubscriptions>["executeTakeFirstOrThrow"]>>;

/** Throws `not_found` if the account has no such subscription. */
async function readOwn(db: Db, id: number, userId: number): Promise<Row> {
  const row = await ownSubscriptions(db, userId).where("w.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("push subscription in your account");
  return row;
}

function asSubscription({ caller }: SignedIn, row: Row): PushSubscription {
  return {
    id: row.id,
    current: row.session_id === caller.sessionId,
    device: row.device,
    failingSince: row.failing_since === null ? null : new Date(row.failing_since).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function requireAllowedEndpoint(ctx: SignedIn, input: string): string {
  const endpoint = requireAllowedUrl(ctx, "endpoint", input);
  const { protocol, hostname } = new URL(endpoint);
  // A non-public address got here only because the administrator allows it. Their own network doesn't need https.
  const isInternal = isIP(hostname.replace(/^\[|\]$/g, "")) > 0 && !isAllowedAddress(hostname, []);
  if (protocol !== "https:" && !isInternal) throw invalid("endpoint", "endpoint must be an https address.");
  return endpoint;
}

/** Messages can only be encrypted for a point on the curve. */
function requireValidKey(key: string): void {
  try {
    ECDH.convertKey(key, "prime256v1", "base64url");
  } catch {
    throw invalid("p256dh", "p256dh must be a P-256 public key in base64url.");
  }
}

/** Returns the subscription's id: the existing one if nothing has changed. */
async function subscribe(
  ctx: SignedIn,
  tx: Db,
  input: Input<Operations["subscribeToPush"]>,
): Promise<number> {
  const { caller, now } = ctx;
  const { endpoint: url, p256dh: public_key, auth: secret } = input;
  const own = { owner_id: caller.userId, session_id: caller.sessionId, url, public_key, secret };
  // Locked: another account may subscribe with the same browser concurrently.
  await tx.engine.lock(tx, [`push to ${url}`]);
  await lockAccounts(tx, caller.userId, url);
  const existingId = await findUnchanged(tx, own);
  if (existingId !== null) return existingId;
  for (const column of ["url", "session_id"] as const)
    await tx
      .deleteFrom("webhooks")
      .where("session_id", "is not", null)
      .where(column, "=", own[column])
      .execute();
  await requireBelowLimit(tx, { userId: caller.userId, now });
  const { id } = await tx
    .insertInto("webhooks")
    .values({
      ...own,
      secret: tx.secrets.encrypt("webhooks", secret),
      user_id: caller.userId,
      types: null,
      state: "working",
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks the caller's account and the one that the browser belonged to before. Lock order: accounts before their webhooks. */
async function lockAccounts(tx: Db, userId: number, url: string): Promise<void> {
  const previous = await tx
    .selectFrom("webhooks")
    .select("owner_id")
    .where("session_id", "is not", null)
    .where("url", "=", url)
    .executeTakeFirst();
  const ids = new Set([userId, previous?.owner_id ?? userId]);
  for (const id of [...ids].sort((a, b) => a - b)) await lockAccount(tx, id);
}

interface SubscriptionRow {
  session_id: number | null;
  url: string;
  public_key: string;
  secret: string;
}

async function findUnchanged(
  tx: Db,
  { session_id, url, public_key, secret }: SubscriptionRow,
): Promise<number | null> {
  const row = await tx
    .selectFrom("webhooks")
    .selectAll()
    .where("session_id", "=", session_id)
    .executeTakeFirst();
  if (!row || row.url !== url || row.public_key !== public_key) return null;
  return tx.secrets.decrypt("webhooks", row.secret) === secret ? row.id : null;
}

async function requireBelowLimit(tx: Db, { userId, now }: { userId: number; now: number }): Promise<void> {
  const max = limits.pushSubscriptionsPerAccount;
  const own = await ownSubscriptions(tx, userId).where("s.expires_at", ">", now).limit(max).execute();
  if (own.length < max) return;
  throw new ApiError(
    "push_limit",
    `An account can have push subscriptions in at most ${max} browsers. End one first.`,
  );
}
