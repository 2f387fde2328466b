import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { type Allowance, chargeAll } from "./quota.ts";

/** A verified signature of a request (Web Bot Auth). It says whose software sent the request, and grants nothing. */
export interface RequestSignature {
  /** The host that publishes the key, with its port unless that is 443. */
  readonly signer: string;
  /** Whether it covers method, address, credential and body, so that no one can have put it on another request. */
  readonly coversContent: boolean;
  /** Of what was signed. */
  readonly hash: string;
  /** When it stops being valid, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Whether a write has used it before. Set by the write's transaction; until then, it counts for nothing. */
  use: "unused" | "first" | "repeated";
}

/** The host whose key signed the request. */
export function signerOf({ signature }: Pick<Caller, "signature">): string | null {
  return signature?.use === "first" ? signature.signer : null;
}

/** The same, if its signature covers the content. */
export function contentSignerOf({ signature }: Pick<Caller, "signature">): string | null {
  return signature?.coversContent && signature.use === "first" ? signature.signer : null;
}

/**
 * Uses up the signatures of these writes in their transaction: each counts once, so no one who sees one can put it on a request of their
 * own. Only accepted writes use them up, so their rows are bounded by the quotas.
 */
export async function useSignatures(
  tx: Db,
  writes: readonly { caller: Caller | null; now: number }[],
): Promise<void> {
  const signed = writes.flatMap(({ caller, now }) => {
    const signature = caller?.signature;
    return signature ? [{ signature, now }] : [];
  });
  if (signed.length === 0) return;
  const states = await chargeAll(
    tx,
    signed.map(({ signature: { hash, endsAt }, now }) => ({
      holder: `signature:${hash}`,
      allowances: [once(Math.ceil((endsAt - now) / 1000))],
      now,
    })),
  );
  for (const [i, { signature }] of signed.entries())
    signature.use = (states[i] ?? []).some(({ remaining }) => remaining < 0) ? "repeated" : "first";
}

const once = (seconds: number): Allowance => ({ name: "signature", limit: 1, seconds: Math.max(1, seconds) });
