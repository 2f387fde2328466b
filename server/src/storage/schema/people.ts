import type { MuteType } from "@tandem/contract/mutes";
import type { Generated } from "kysely";

/** Each block is two rows, one from either side. */
export interface BlockRow {
  user_id: number;
  other_id: number;
  /** When `user_id` blocked `other_id`; null if only the other side blocked. */
  blocked_at: number | null;
}

/** An account, word or tag that an account mutes. */
export interface MuteRow {
  id: Generated<number>;
  user_id: number;
  type: MuteType;
  /** Of a muted account, the creator; otherwise null. */
  creator_id: number | null;
  /** A word or tag as it was typed, and as it is compared. */
  text: string | null;
  folded: string | null;
  /** When it ends; null if it doesn't. Rows that have ended don't count. */
  until_at: number | null;
  created_at: number;
}

/** A list of creators, which only its account sees. */
export interface ListRow {
  id: Generated<number>;
  user_id: number;
  name: string;
  created_at: number;
}

export interface ListMemberRow {
  list_id: number;
  creator_id: number;
  /** The list's account. */
  user_id: number;
}

export interface ConversationRow {
  id: Generated<number>;
  /** Whether the side that didn't start it has written too. */
  answered: Generated<number>;
  created_at: number;
}

/** One account's side of a conversation. It is deleted with the account; the other side stays. */
export interface ConversationSideRow {
  conversation_id: number;
  /** 0 for the account that started it, 1 for the other. */
  side: number;
  user_id: number;
  /** Null once the other account is deleted. */
  other_id: number | null;
  /** The last message of either side. */
  last_id: number;
  unread: Generated<number>;
}

export interface MessageRow {
  id: Generated<number>;
  conversation_id: number;
  /** The side that wrote it. Not an account id, because messages outlive their author. */
  side: number;
  body: string;
  is_ai: number;
  created_at: number;
}
