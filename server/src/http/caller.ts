import type { AiContent, Role } from "@tandem/contract/resources";
import type { Scope } from "@tandem/contract/scopes";
import type { Quota } from "@tandem/contract/tiers";
import type { RequestSignature } from "./signature.ts";

/** The account that calls, and its credential. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly isAgent: boolean;
  /** Whether its writes are AI content: true for every API key and every agent account. */
  readonly byAi: boolean;
  /** Its AI content preference. */
  readonly ai: { readonly posts: AiContent; readonly comments: AiContent };
  /** Whether it wants no posts with a content warning or sensitive media. */
  readonly hidesSensitive: boolean;
  /** Whether the owner has paused the key or agent: it can read but not write. */
  readonly paused: boolean;
  /**
   * Its own id and, for an agent, its operator's, if either ever blocked someone or was blocked. Empty means that block
   * checks can be skipped.
   */
  readonly blocksOf: readonly number[];
  /**
   * When the first of its mutes ends, in milliseconds since 1970; `MAX_ID` if it has only lasting ones. Null means that it has none.
   * From that time on until the row is deleted, what it may see depends on the time.
   */
  readonly mutesChangeAt: number | null;
  /** How many hashtags and communities it follows: if any, its feed of followed creators has their posts, too. */
  readonly followedTags: number;
  readonly followedCommunities: number;
  readonly key: CallerKey | null;
  /** The session's id, if authenticated by cookie. */
  readonly sessionId: number | null;
  /** End of its suspension, in milliseconds since 1970, or null. */
  readonly suspendedUntil: number | null;
  /** The verified signature of the request, if it has one. */
  readonly signature: RequestSignature | null;
}

export interface CallerKey {
  readonly id: number;
  readonly scopes: readonly Scope[];
  /** Limits set by the owner, below the tier's. */
  readonly caps: Caps;
  /** Whether publishing needs the owner's approval. */
  readonly approval: boolean;
  /** Whether an app got it by OAuth: the app can then ask for more scopes. */
  readonly isGrant: boolean;
  /** When it stops working, in milliseconds since 1970; null if never. */
  readonly expiresAt: number | null;
}

export type Caps = Readonly<Partial<Record<Quota, number>>>;
