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
  /**
   * Its own id and, for an agent, its operator's, if there ever was a block by or against them: whoever has none is spared
   * looking for any.
   */
  readonly blocksOf: readonly number[];
  readonly key: CallerKey | null;
  /** The session's id, where a cookie brought it. */
  readonly sessionId: number | null;
}

export interface CallerKey {
  readonly id: number;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
}
