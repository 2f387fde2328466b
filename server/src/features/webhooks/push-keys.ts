import { createECDH } from "node:crypto";
import type { Services } from "../../http/services.ts";
import type { Db, Storage } from "../../storage/storage.ts";

/** A pair of P-256, each half in base64url: the private one as 32 bytes, the public one as 65. */
export interface PushKeys {
  privateKey: string;
  publicKey: string;
}

const CURVE = "prime256v1";
const known = new WeakMap<Services, PushKeys>();

/**
 * By which push services know that it is this service that sends (RFC 8292): as the setting has it, or as the database
 * keeps it for all processes, made by whoever first needs it.
 */
export async function pushKeysOf(services: Services): Promise<PushKeys> {
  const keys = known.get(services) ?? pairOf(services.config.pushKey ?? (await keptKey(services.storage)));
  known.set(services, keys);
  return keys;
}

/** Throws where it is no private key of that curve. */
export function pairOf(privateKey: string): PushKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, "base64url");
  return { privateKey, publicKey: pair.getPublicKey("base64url") };
}

async function keptKey({ read, write }: Storage): Promise<string> {
  return (await readKey(read)) ?? write(keepKey);
}

/** Of two who make one at once, the second finds that of the first. */
async function keepKey(tx: Db): Promise<string> {
  await tx
    .insertInto("push_key")
    .values({ id: 1, private_key: newKey() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const kept = await readKey(tx);
  if (kept === null) throw new Error("the key for pushes was not kept");
  return kept;
}

async function readKey(db: Db): Promise<string | null> {
  const row = await db.selectFrom("push_key").select("private_key").executeTakeFirst();
  return row?.private_key ?? null;
}

function newKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // A number, which may be shorter than its place.
  return Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
}
