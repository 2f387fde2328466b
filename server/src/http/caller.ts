import type { AiContent, Role } from "@tandem/contract/resources";
import type { Scope } from "@tandem/contract/scopes";
import type { Quota, Tier } from "@tandem/contract/tiers";

/** Who is calling: an account, and the credential it came with. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly isAgent: boolean;
  /** Whether what it writes is AI content: true for every key and every agent account (spec: Provenance rule). */
  readonly byAi: boolean;
  /** How it wants AI content. */
  readonly ai: { readonly posts: AiContent; readonly comments: AiContent };
  /** Whether the person behind it has paused the key or the agent: it reads, and doesn't write. */
  readonly paused: boolean;
  /**
   * Its own id and, for an agent, its operator's, if there ever was a block by or against them: whoever has none is spared
   * looking for any.
   */
  readonly blocksOf: readonly number[];
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
  /** The owner's own limits, below the tier's. */
  readonly caps: Caps;
  /** Whether the owner is asked before anything is published. */
  readonly approval: boolean;
}

export type Caps = Readonly<Partial<Record<Quota, number>>>;
