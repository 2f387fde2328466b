import type { DraftState, WaitingOperation } from "@tandem/contract/drafts";
import type { Tier } from "@tandem/contract/tiers";
import type { Generated } from "kysely";

export interface KeyRow {
  id: Generated<number>;
  /** Whose list it is on: the person who minted it. */
  owner_id: number;
  /** As whom it acts: the owner, or an agent of the owner's. */
  user_id: number;
  name: string;
  hint: string;
  hash: string;
  scopes: string;
  tier: Tier;
  strikes: number;
  /** Whether an admin lowered it by hand: then it rises by hand alone. */
  tier_held: Generated<number>;
  accepted_writes: number;
  paused: Generated<number>;
  /** Whether the owner is asked before anything is published. */
  approval: Generated<number>;
  /** JSON: the owner's own limits by their quota; null where there are none. */
  caps: string | null;
  created_at: number;
  last_used_at: number | null;
}

/** What is written and not published yet. */
export interface DraftRow {
  id: Generated<number>;
  /** The person who decides: the author, or who operates it. */
  owner_id: number;
  /** As whom it is published. */
  user_id: number;
  /** The key that wrote it; null where none did, or once that is revoked. */
  key_id: number | null;
  by_key: number;
  operation: WaitingOperation;
  /** JSON: what the operation was called with, files apart. */
  input: string;
  /** JSON: the facts of what came as files. */
  media: string | null;
  state: DraftState;
  /** Whether the owner has agreed to what is scheduled. */
  approved: Generated<number>;
  publish_at: number | null;
  /** When it is tried next; null where no clock decides. */
  due_at: number | null;
  /** How often in a row it could not be published. */
  failures: Generated<number>;
  last_error: string | null;
  created_at: number;
  edited_at: number | null;
}

/** An accepted write of a key, or of an agent's session. */
export interface ActivityRow {
  id: Generated<number>;
  user_id: number;
  /** Stays when the key is gone. */
  key_id: number | null;
  operation: string;
  /** The id of what it was about; what that is, the operation tells. */
  target: number | null;
  /** Who was followed, or no longer: platform, a slash, the name. */
  creator: string | null;
  undone: Generated<number>;
  /** 0 where all was as it asked already: then there is nothing to undo. */
  changed: Generated<number>;
  created_at: number;
}
