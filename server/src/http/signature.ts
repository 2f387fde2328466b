import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";

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
 * Uses up the signatures of these writes in their transaction: each counts once, whatever the clocks of processes say. Only accepted writes
 * use them up, so their rows are bounded by the quotas.
 */
export async function useSignatures(tx: Db, callers: readonly Caller[]): Promise<void> {
  const signatures = callers.flatMap(({ signature }) => signature ?? []);
  if (signatures.length === 0) return;
  const rows = new Map(signatures.map(({ hash, endsAt }) => [hash, { hash, ends_at: endsAt }]));
  // In one order, so that transactions don't wait for each other in a circle.
  const added = await tx
    .insertInto("used_signatures")
    .values([...rows.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1)))
    .onConflict((conflict) => conflict.doNothing())
    .returning("hash")
    .execute();
  const unused = new Set(added.map(({ hash }) => hash));
  for (const signature of signatures) signature.use = unused.delete(signature.hash) ? "first" : "repeated";
}
