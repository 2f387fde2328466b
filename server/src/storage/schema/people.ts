import type { Generated } from "kysely";

/** Each block is two rows, one seen from either account. */
export interface BlockRow {
  user_id: number;
  other_id: number;
  /** When the first of the two blocked the other; null where it is only blocked by the other. */
  blocked_at: number | null;
}

export interface ConversationRow {
  id: Generated<number>;
  /** Whether the one who didn't begin it has written too. */
  answered: Generated<number>;
  created_at: number;
}

/** A conversation as one of the two has it. It goes with the account, and the other's stays. */
export interface ConversationSideRow {
  conversation_id: number;
  /** 0 for who began it, 1 for the other. */
  side: number;
  user_id: number;
  /** Null once the other account is gone. */
  other_id: number | null;
  /** The last message, of whichever side. */
  last_id: number;
  unread: Generated<number>;
}

export interface MessageRow {
  id: Generated<number>;
  conversation_id: number;
  /** Whose it is: no account's id, for messages outlive their writer. */
  side: number;
  body: string;
  is_ai: number;
  created_at: number;
}
