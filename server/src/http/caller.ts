import type { Role } from "@tandem/contract/resources";
import type { Scope } from "@tandem/contract/scopes";
import type { Tier } from "@tandem/contract/tiers";

/** Who is calling: an account, and the credential it came with. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly isAgent: boolean;
  /** Whether what it writes is AI content: true for every key and every agent account (spec: Provenance rule). */
  readonly byAi: boolean;
  readonly key: CallerKey | null;
  /** The session's id, where a cookie brought it. */
  readonly sessionId: number | null;
  /** Until when it may not write, in milliseconds since 1970; null where it may. */
  readonly suspendedUntil: number | null;
}

export interface CallerKey {
  readonly id: number;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
}
