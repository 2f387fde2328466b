import { randomBytes } from "node:crypto";
import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { SignUpChallenge } from "@tandem/contract/registration";
import type { Solution } from "altcha-lib/types";
import { ApiError } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import { tokenHash } from "../../http/credential.ts";
import type { Services } from "../../http/services.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { consumeOnce } from "./nonces.ts";

/*
 * Challenges aren't stored: the service signs them with a key that all processes share, and remembers those that were used
 * until they expire.
 */

const ALGORITHM = "PBKDF2/SHA-256";
/** In hexadecimal. One key in 256 begins with it. */
const PREFIX = "00";
const LIFE = limits.challengeMinutes * MINUTE;

/** Loaded on first use: most servers require no proof. */
const altcha = async () => {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import("altcha-lib"),
    import("altcha-lib/algorithms/pbkdf2"),
  ]);
  return { createChallenge, verifySolution, deriveKey };
};

/** A new challenge; null if signing up requires no proof of work. */
export async function makeChallenge(services: Services, now: number): Promise<SignUpChallenge | null> {
  const cost = services.config.signUpWork;
  if (cost === 0) return null;
  const { createChallenge, deriveKey } = await altcha();
  const { parameters, signature = "" } = await createChallenge({
    algorithm: ALGORITHM,
    cost,
    deriveKey,
    keyPrefix: PREFIX,
    expiresAt: Math.floor((now + LIFE) / 1000),
    hmacSignatureSecret: await keyOf(services),
  });
  return { parameters: { expiresAt: 0, ...parameters }, signature };
}

/** A challenge that was solved, to be used up. */
export interface Proof {
  signature: string;
  /** In seconds since 1970. */
  expiresAt: number;
}

/** Verifies a proof of work; null if none is required. Throws `proof_required`. */
export async function verifyProof(
  { services, now }: Context,
  proof: string | null | undefined,
): Promise<Proof | null> {
  if (services.config.signUpWork === 0) return null;
  if (proof == null) throw refusal("proof is required.");
  const { challenge, solution } = parse(proof) ?? {};
  if (!challenge || !solution) throw refusal("proof isn't the solution of a challenge.");
  const { verifySolution, deriveKey } = await altcha();
  const { verified } = await verifySolution({
    challenge,
    solution,
    deriveKey,
    hmacSignatureSecret: await keyOf(services),
  });
  const { parameters, signature } = challenge;
  if (!verified || parameters.expiresAt * 1000 <= now) throw refusal("proof is wrong or has expired.");
  return { signature, expiresAt: parameters.expiresAt };
}

/** Makes sure that a proof works only once. Throws `proof_required`. */
export async function consumeProof(tx: Db, proof: Proof | null, now: number): Promise<void> {
  if (proof === null) return;
  const isFirst = await consumeOnce(tx, `proof:${tokenHash(proof.signature)}`, proof.expiresAt, now);
  if (!isFirst) throw refusal("proof was already used.");
}

function refusal(message: string): ApiError {
  return new ApiError("proof_required", message, { field: "proof" });
}

/** Null if this isn't JSON in base64. The signature covers what is in `parameters`, so that needs no other check. */
function parse(proof: string): { challenge: SignUpChallenge; solution: Solution } | null {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(proof, "base64").toString("utf8"));
    const isObject = typeof challenge.parameters === "object" && challenge.parameters !== null;
    return isObject && typeof challenge.signature === "string" ? { challenge, solution } : null;
  } catch {
    return null;
  }
}

const keys = new WeakMap<Services, string>();

async function keyOf(services: Services): Promise<string> {
  const key = keys.get(services) ?? (await storedKey(services.storage));
  keys.set(services, key);
  return key;
}

async function storedKey({ read, write }: Storage): Promise<string> {
  return (await readKey(read)) ?? write(storeNewKey);
}

/** If two processes create a key concurrently, the second uses the first's. */
async function storeNewKey(tx: Db): Promise<string> {
  const secret = tx.secrets.encrypt("sign_up_key", randomBytes(32).toString("base64url"));
  await tx
    .insertInto("sign_up_key")
    .values({ id: 1, secret })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const stored = await readKey(tx);
  if (stored === null) throw new Error("the key for challenges was not stored");
  return stored;
}

async function readKey(db: Db): Promise<string | null> {
  const row = await db.selectFrom("sign_up_key").select("secret").executeTakeFirst();
  return row ? db.secrets.decrypt("sign_up_key", row.secret) : null;
}
