import { randomBytes } from "node:crypto";
import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Context } from "../../http/context.ts";
import { tokenHash } from "../../http/credential.ts";
import { networkOf } from "../../http/network.ts";
import type { Db } from "../../storage/storage.ts";

/*
 * Devices and networks that have logged in to an account. Others' guesses don't lock the account for them. A device has a
 * cookie with 192 random bits; only hashes are stored, each with the account's id, so that rows of different accounts can't
 * be linked.
 */

const DEVICE_COOKIE = "tandem_device";

export interface KnownPlaces {
  /** The hash of the device's token, if it has logged in to the account. */
  device: string | null;
  network: boolean;
}

export const unknownPlaces: KnownPlaces = { device: null, network: false };

/** Which of the request's device and network have logged in to the account before. */
export async function knownPlacesOf(ctx: Context, userId: number): Promise<KnownPlaces> {
  const { device, network } = hashesOf(ctx, userId, deviceToken(ctx));
  const hashes = [device, network].filter((hash) => hash !== null);
  if (hashes.length === 0) return unknownPlaces;
  const rows = await ctx.read
    .selectFrom("known_places")
    .select("hash")
    .where("user_id", "=", userId)
    .where("hash", "in", hashes)
    .execute();
  const known = new Set<string | null>(rows.map(({ hash }) => hash));
  return { device: known.has(device) ? device : null, network: known.has(network) };
}

/** Remembers the device and network of a successful login. The account must be locked, or new. */
export async function rememberPlaces(ctx: Context, tx: Db, userId: number): Promise<void> {
  const token = deviceToken(ctx) ?? randomBytes(24).toString("base64url");
  const { device, network } = hashesOf(ctx, userId, token);
  const rows = [device, network].filter((hash) => hash !== null);
  await tx
    .insertInto("known_places")
    .values(rows.map((hash) => ({ user_id: userId, hash, last_used_at: ctx.now })))
    .onConflict((conflict) => conflict.columns(["user_id", "hash"]).doUpdateSet({ last_used_at: ctx.now }))
    .execute();
  await forgetSurplus(tx, userId);
  ctx.setCookie({ name: DEVICE_COOKIE, value: token, maxAge: (limits.knownPlaceDays * DAY) / 1000 });
}

async function forgetSurplus(tx: Db, userId: number): Promise<void> {
  await tx
    .deleteFrom("known_places")
    .where("user_id", "=", userId)
    .where("hash", "not in", (eb) =>
      eb
        .selectFrom("known_places")
        .select("hash")
        .where("user_id", "=", userId)
        .orderBy("last_used_at", "desc")
        .orderBy("hash")
        .limit(limits.knownPlacesPerAccount),
    )
    .execute();
}

function deviceToken(ctx: Context): string | null {
  const token = ctx.cookies()[DEVICE_COOKIE] ?? "";
  return /^[\w-]{32}$/.test(token) ? token : null;
}

function hashesOf({ address }: Context, userId: number, token: string | null) {
  const network = networkOf(address);
  return {
    device: token && tokenHash(`device ${userId} ${token}`),
    network: network && tokenHash(`network ${userId} ${network}`),
  };
}
