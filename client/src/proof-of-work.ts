import type { SignUpChallenge } from "@tandem/contract/registration";

/** Bytes of the counter that is appended to the nonce. */
const COUNTER_BYTES = 4;

/**
 * Solves the challenge of `readRegistration`, and returns the `proof` that `signUp` takes. It may take some seconds, but the work
 * is done by Web Crypto, so a page stays responsive. Browsers offer Web Crypto only over https and on localhost.
 */
export async function solveChallenge(challenge: SignUpChallenge): Promise<string> {
  const { nonce, keyPrefix } = challenge.parameters;
  const password = new Uint8Array([...bytesOf(nonce), ...new Uint8Array(COUNTER_BYTES)]);
  const view = new DataView(password.buffer, password.length - COUNTER_BYTES);
  for (let counter = 0; ; counter++) {
    view.setUint32(0, counter);
    const derivedKey = await deriveKey(challenge, password);
    if (derivedKey.startsWith(keyPrefix))
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
  }
}

async function deriveKey({ parameters }: SignUpChallenge, password: BufferSource): Promise<string> {
  const { salt, cost: iterations, keyLength } = parameters;
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const method = { name: "PBKDF2", hash: "SHA-256", salt: bytesOf(salt), iterations };
  const bits = new Uint8Array(await crypto.subtle.deriveBits(method, key, 8 * keyLength));
  return Array.from(bits, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
