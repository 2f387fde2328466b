import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type Bytes, bytesOf, fromBase64Url } from "@tandem/contract/log/bytes";
import type { KeyEntry } from "@tandem/contract/log/entry";
import { type Checkpoint, checkpointText, keyIdOf, signatureLine } from "@tandem/contract/log/note";
import { CompactSign, calculateJwkThumbprint } from "jose";
import type { LogKeyRow } from "../../storage/schema/log.ts";
import type { Db } from "../../storage/storage.ts";
import { bytesFrom, sha256 } from "./digests.ts";

/** A key that signs. Stored in the database, so that all processes and servers share it. */
export interface SigningKey {
  kid: string;
  /** In base64url. */
  publicKey: string;
  privateKey: string;
}

export async function newKey(): Promise<SigningKey> {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  if (!x || !d) throw new Error("an Ed25519 key has no parameters");
  return { kid: await calculateJwkThumbprint(publicJwk(x)), publicKey: x, privateKey: d };
}

function publicJwk(x: string) {
  return { crv: "Ed25519", kty: "OKP", x } as const;
}

/** What the log says of a key. */
export function keyEntry({ kid, publicKey: x }: SigningKey, origin: string, now: number): KeyEntry {
  return { kind: "key", key: { ...publicJwk(x), kid }, origin, time: new Date(now).toISOString() };
}

/** The key that signs now; null before the log begins. */
export async function activeKey(db: Db): Promise<SigningKey | null> {
  const row = await db.selectFrom("log_keys").selectAll().where("retired_at", "is", null).executeTakeFirst();
  if (!row?.private_key) return null;
  return {
    kid: row.kid,
    publicKey: row.public_key,
    privateKey: db.secrets.decrypt("log_keys", row.private_key),
  };
}

export async function insertKey(tx: Db, key: SigningKey, now: number): Promise<void> {
  const { kid, publicKey: public_key } = key;
  const private_key = tx.secrets.encrypt("log_keys", key.privateKey);
  await tx
    .insertInto("log_keys")
    .values({ kid, public_key, private_key, created_at: now, retired_at: null })
    .execute();
}

/** Retires the key that signs now, and deletes its private half. */
export async function retireKeys(tx: Db, now: number): Promise<void> {
  await tx
    .updateTable("log_keys")
    .set({ private_key: null, retired_at: now })
    .where("retired_at", "is", null)
    .execute();
}

/** RFC 7517: all public keys, the newest first, with the time from and until which each signed. */
export async function jwks(db: Db): Promise<{ keys: object[] }> {
  const rows = await db.selectFrom("log_keys").selectAll().orderBy("created_at", "desc").execute();
  return { keys: rows.map(asJwk) };
}

function asJwk({ kid, public_key, created_at, retired_at }: LogKeyRow): object {
  const seconds = (time: number) => Math.floor(time / 1000);
  return {
    ...publicJwk(public_key),
    kid,
    use: "sig",
    alg: "EdDSA",
    iat: seconds(created_at),
    ...(retired_at !== null && { exp: seconds(retired_at) }),
  };
}

/** A JWS of this payload. */
export function signStatement(key: SigningKey, payload: object): Promise<string> {
  return new CompactSign(bytesOf(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "EdDSA", kid: key.kid, typ: "tandem-receipt+jwt" })
    .sign(privateKeyOf(key));
}

/** The checkpoint as a note that the key signed under the log's name. */
export async function signCheckpoint(key: SigningKey, checkpoint: Checkpoint): Promise<string> {
  const text = checkpointText(checkpoint);
  const noteKey = { name: checkpoint.origin, publicKey: publicBytes(key) };
  const keyId = await keyIdOf(noteKey, sha256);
  const signature = bytesFrom(sign(null, bytesOf(text), privateKeyOf(key)));
  return `${text}\n${signatureLine({ name: noteKey.name, keyId, signature })}`;
}

export function publicBytes({ publicKey }: Pick<SigningKey, "publicKey">): Bytes {
  return fromBase64Url(publicKey);
}

function privateKeyOf({ publicKey, privateKey }: SigningKey): KeyObject {
  return createPrivateKey({ key: { ...publicJwk(publicKey), d: privateKey }, format: "jwk" });
}
