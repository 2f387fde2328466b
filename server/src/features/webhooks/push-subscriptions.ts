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
import { judgeUrl } from "./webhooks.ts";

export const browsers = {
  listPushSubscriptions: async (ctx) => {
    const { publicKey } = await pushKeysOf(ctx.services);
    const rows = await ownBrowsers(ctx.read, ctx.caller.userId)
      .where("s.expires_at", ">", ctx.now)
      .orderBy("w.id", "desc")
      .limit(limits.pushSubscriptionsPerAccount)
      .execute();
    return { applicationServerKey: publicKey, subscriptions: rows.map((row) => asSubscription(ctx, row)) };
  },
  subscribeToPush: async (ctx, input) => {
    const endpoint = judgeEndpoint(ctx, input.endpoint);
    judgePoint(input.p256dh);
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

function ownBrowsers(db: Db, userId: number) {
  return db
    .selectFrom("webhooks as w")
    .innerJoin("sessions as s", "s.id", "w.session_id")
    .select(["w.id", "w.session_id", "w.failing_since", "w.created_at", "s.device"])
    .where("w.owner_id", "=", userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof ownBrowsers>["executeTakeFirstOrThrow"]>>;

/** Throws `not_found` where the account has no such browser. */
async function readOwn(db: Db, id: number, userId: number): Promise<Row> {
  const row = await ownBrowsers(db, userId).where("w.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("subscription of yours");
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

function judgeEndpoint(ctx: SignedIn, given: string): string {
  const endpoint = judgeUrl(ctx, "endpoint", given);
  const { protocol, hostname } = new URL(endpoint);
  // An address that isn't public was let through for the operator allows it: what goes there stays in their network.
  const inside = isIP(hostname.replace(/^\[|\]$/g, "")) > 0 && !isAllowedAddress(hostname, []);
  if (protocol !== "https:" && !inside) throw invalid("endpoint", "endpoint must be an https address.");
  return endpoint;
}

/** Nothing can be encrypted for what is no point of the curve. */
function judgePoint(key: string): void {
  try {
    ECDH.convertKey(key, "prime256v1", "base64url");
  } catch {
    throw invalid("p256dh", "p256dh must be a public key of P-256.");
  }
}

/** Gives back the subscription's id: the one that there was, if it is the same. */
async function subscribe(
  ctx: SignedIn,
  tx: Db,
  input: Input<Operations["subscribeToPush"]>,
): Promise<number> {
  const { caller, now } = ctx;
  const { endpoint: url, p256dh: public_key, auth: secret } = input;
  const own = { owner_id: caller.userId, session_id: caller.sessionId, url, public_key, secret };
  // Whoever comes with the same browser at once, as another account perhaps, comes before or after.
  await tx.engine.lock(tx, [`push to ${url}`]);
  await lockBoth(tx, caller.userId, url);
  const known = await same(tx, own);
  if (known !== null) return known;
  for (const column of ["url", "session_id"] as const)
    await tx
      .deleteFrom("webhooks")
      .where("session_id", "is not", null)
      .where(column, "=", own[column])
      .execute();
  await requireRoom(tx, { userId: caller.userId, now });
  const { id } = await tx
    .insertInto("webhooks")
    .values({ ...own, user_id: caller.userId, types: null, state: "working", created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The caller's account, and that of whoever had the browser before: accounts' rows before what hangs on them. */
async function lockBoth(tx: Db, userId: number, url: string): Promise<void> {
  const before = await tx
    .selectFrom("webhooks")
    .select("owner_id")
    .where("session_id", "is not", null)
    .where("url", "=", url)
    .executeTakeFirst();
  const ids = new Set([userId, before?.owner_id ?? userId]);
  for (const id of [...ids].sort((a, b) => a - b)) await lockAccount(tx, id);
}

interface Wanted {
  session_id: number | null;
  url: string;
  public_key: string;
  secret: string;
}

async function same(tx: Db, { session_id, url, public_key, secret }: Wanted): Promise<number | null> {
  const row = await tx
    .selectFrom("webhooks")
    .selectAll()
    .where("session_id", "=", session_id)
    .executeTakeFirst();
  const unchanged = row?.url === url && row.public_key === public_key && row.secret === secret;
  return unchanged ? row.id : null;
}

async function requireRoom(tx: Db, { userId, now }: { userId: number; now: number }): Promise<void> {
  const most = limits.pushSubscriptionsPerAccount;
  const own = await ownBrowsers(tx, userId).where("s.expires_at", ">", now).limit(most).execute();
  if (own.length < most) return;
  throw new ApiError("push_limit", `An account is pushed to on at most ${most} browsers: end one first.`);
}
