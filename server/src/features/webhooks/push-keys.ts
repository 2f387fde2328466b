import { createECDH } from "node:crypto";
import type { Services } from "../../http/services.ts";
import type { Db, Storage } from "../../storage/storage.ts";

/** A P-256 key pair in base64url: 32 bytes private, 65 bytes public. */
export interface PushKeys {
  privateKey: string;
  publicKey: string;
}

const CURVE = "prime256v1";
const cache = new WeakMap<Services, PushKeys>();

/**
 * The VAPID keys that identify this service to push services (RFC 8292). Taken from the configuration or else from the
 * database, where the first process that needs them stores them for all.
 */
export async function pushKeysOf(services: Services): Promise<PushKeys> {
  const keys =
    cache.get(services) ?? keyPairOf(services.config.pushKey ?? (await storedKey(services.storage)));
  cache.set(services, keys);
  return keys;
}

/** Throws if this isn't a P-256 private key. */
export function keyPairOf(privateKey: string): PushKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, "base64url");
  return { privateKey, publicKey: pair.getPublicKey("base64url") };
}

async function storedKey({ read, write }: Storage): Promise<string> {
  return (await readKey(read)) ?? write(storeNewKey);
}

/** If two processes create a key concurrently, the second uses the first's. */
async function storeNewKey(tx: Db): Promise<string> {
  await tx
    .insertInto("push_key")
    .values({ id: 1, private_key: tx.secrets.encrypt("push_key", newKey()) })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const stored = await readKey(tx);
  if (stored === null) throw new Error("the push key was not stored");
  return stored;
}

async function readKey(db: Db): Promise<string | null> {
  const row = await db.selectFrom("push_key").select("private_key").executeTakeFirst();
  return row ? db.secrets.decrypt("push_key", row.private_key) : null;
}

function newKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // Restore leading zeros.
  return Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
}
