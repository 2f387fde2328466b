import type { AgentRequestState } from "@tandem/contract/agent-requests";
import type { ApprovableOperation } from "@tandem/contract/approval";
import type { DraftDecision, DraftState } from "@tandem/contract/drafts";
import type { Tier } from "@tandem/contract/tiers";
import type { Generated } from "kysely";

/** An API key. */
export interface KeyRow {
  id: Generated<number>;
  /** The person who created it and manages it. */
  owner_id: number;
  /** The account that it acts as: the owner, or an agent of the owner. */
  user_id: number;
  name: string;
  /** The start of the key, to recognize it by. */
  hint: string;
  hash: string;
  /** Comma-separated. */
  scopes: string;
  /** The tier it begins from: the first one, or what an admin set. Its tier now: `tierOf` in `http/graduation.ts`. */
  tier: Tier;
  /** Whether an admin lowered the tier: it then doesn't rise automatically. */
  tier_held: Generated<number>;
  /** When an admin set the tier; null if none did. */
  tier_set_at: Generated<number | null>;
  accepted_writes: number;
  paused: Generated<number>;
  /** Whether its posts and comments wait for the owner's approval. */
  approval: Generated<number>;
  /** JSON: the owner's custom limits by quota; null if there are none. */
  caps: string | null;
  created_at: number;
  last_used_at: number | null;
  /** When it stops working; null if never. */
  expires_at: Generated<number | null>;
  /** The OAuth client id of the app that it was granted to; null for a key that someone created. */
  client_id: Generated<string | null>;
  /** JSON: the app as it was when someone authorized it. */
  app: Generated<string | null>;
  /** When the access token with this hash stops working; null if the key isn't an app's, or the app has got no token yet. */
  token_expires_at: Generated<number | null>;
}

/** An agent's request for an account. */
export interface AgentRequestRow {
  id: Generated<number>;
  /** The hash of the asker's token. */
  token_hash: string;
  /** The hash of the code that people enter, as it is spelled without hyphens. */
  code_hash: string;
  username: string;
  display_name: string | null;
  bio: string | null;
  /** Comma-separated. */
  scopes: string;
  state: Exclude<AgentRequestState, "expired">;
  /** The key that was created by the approval. */
  key_id: Generated<number | null>;
  /** The future key is derived from the token and this, so that nothing here reveals it. */
  salt: string;
  key_hash: string;
  key_hint: string;
  /** When a pending request expires; of an approved one, when its asker can no longer get the key. */
  expires_at: number;
  created_at: number;
}

/** A draft, a scheduled post, or a call that waits for approval. */
export interface DraftRow {
  id: Generated<number>;
  /** The person who decides about it: the author or, for an agent, its operator. */
  owner_id: number;
  /** The account that publishes it. */
  user_id: number;
  /** The key that created or scheduled it; null if a session did, or the key was revoked. */
  key_id: number | null;
  /** Whether a key wrote or edited it. It is then AI content. */
  by_key: number;
  operation: ApprovableOperation;
  /** JSON: the operation's input, without files. */
  input: string;
  /** JSON: metadata of the uploaded files. */
  media: string | null;
  state: DraftState;
  /** Whether the owner has approved a scheduled draft. */
  approved: Generated<number>;
  publish_at: number | null;
  /** When publishing is tried next; null if it isn't scheduled. */
  due_at: number | null;
  /** Failed attempts in a row. */
  failures: Generated<number>;
  last_error: string | null;
  created_at: number;
  edited_at: number | null;
}

/** What became of a draft that waited for approval. Kept as long as its author, as the notification that asked for it. */
export interface DraftDecisionRow {
  draft_id: number;
  /** The account that it was published as, or would have been. */
  user_id: number;
  operation: ApprovableOperation;
  decision: DraftDecision;
  /** The post that it was about or that it published. It may be gone. */
  post_id: number | null;
  /** The comment, likewise. */
  comment_id: number | null;
  decided_at: number;
}

/** A successful write by a key or in an agent's session. */
export interface ActivityRow {
  id: Generated<number>;
  user_id: number;
  /** Kept after the key is revoked. */
  key_id: number | null;
  operation: string;
  /** The id of the object; the operation implies its kind. */
  target: number | null;
  /** The creator or community that it named, as `platform/name`, or the hashtag; the operation implies which. */
  creator: string | null;
  /** The host whose key signed the request. */
  signer: Generated<string | null>;
  undone: Generated<number>;
  /** 0 if the write changed nothing, such as a repeated like; it then can't be undone. */
  changed: Generated<number>;
  /** The draft with which it asked for approval, or that it published. */
  draft_id: Generated<number | null>;
  created_at: number;
}
