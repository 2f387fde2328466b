import type { DraftState, WaitingOperation } from "@tandem/contract/drafts";
import type { DayCount } from "@tandem/contract/moderation";
import type { OriginPlatform, Platform } from "@tandem/contract/origins";
import type {
  AiContent,
  MediaState,
  MediaType,
  NotificationSource,
  NotificationType,
  Provenance,
  Role,
  SourceState,
} from "@tandem/contract/resources";
import type { Tier } from "@tandem/contract/tiers";
import type { Delivery, DeliveryState, WebhookState } from "@tandem/contract/webhooks";
import type { Generated } from "kysely";
import type { AuditRow, DecisionRow, RemovedPostRow, ReportCaseRow, ReportRow } from "./moderation-rows.ts";
import type {
  ExportRow,
  MailRow,
  PasskeyRow,
  RecoveryCodeRow,
  SecondFactorRow,
  TokenRow,
} from "./schema/accounts.ts";

/**
 * The tables, as TypeScript sees them. Times are milliseconds since 1970 (`…_at`), truth is 0 or 1,
 * and JSON is text, so that one set of types holds for every engine.
 */
export interface Schema {
  users: UserRow;
  identities: { provider: string; subject: string; user_id: number };
  sessions: SessionRow;
  keys: KeyRow;
  quota_windows: QuotaWindowRow;
  idempotency: IdempotencyRow;
  /** Nonces that were given out for sign-ins, and not yet spent. */
  nonces: { hash: string; expires_at: number };
  creators: CreatorRow;
  sources: SourceRow;
  /** What an address of a source said when it was last asked, so that it needn't say the same again. */
  source_pages: { source_id: number; url: string; etag: string | null; last_modified: string | null };
  gathered: GatheredRow;
  posts: PostRow;
  post_texts: { post_id: number; folded: string };
  creator_texts: { creator_id: number; folded: string };
  /** `by_ai`: whether the one who likes it is an agent, or came with a key. */
  post_likes: { user_id: number; post_id: number; by_ai: Generated<number> };
  post_saves: { user_id: number; post_id: number };
  dismissals: { user_id: number; post_id: number };
  comments: CommentRow;
  comment_likes: { user_id: number; comment_id: number; by_ai: Generated<number> };
  follows: { user_id: number; creator_id: number };
  notifications: NotificationRow;
  /** What an account is told nothing of. */
  notification_mutes: { user_id: number; source: NotificationSource; type: NotificationType };
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  products: ProductRow;
  post_products: { post_id: number; product_id: number; position: number };
  /** `day` counts days since 1970; `post_id` is 0 for clicks that came from no post. */
  product_clicks: { product_id: number; post_id: number; day: number; clicks: number };
  post_links: PostLinkRow;
  drafts: DraftRow;
  activity: ActivityRow;
  media: MediaRow;
  media_files: MediaFileRow;
  ranking: RankingRow;
  lives: { user_id: number; title: string; started_at: number };
  blocks: BlockRow;
  /** Each friendship is two rows, one for either's list. */
  friendships: { user_id: number; friend_id: number; since: number };
  friend_requests: { id: Generated<number>; from_id: number; to_id: number; created_at: number };
  /** Who declined whom, and until when they aren't to be asked again. */
  friend_declines: { from_id: number; to_id: number; ends_at: number };
  conversations: ConversationRow;
  conversation_sides: ConversationSideRow;
  messages: MessageRow;
  tokens: TokenRow;
  mails: MailRow;
  second_factors: SecondFactorRow;
  recovery_codes: RecoveryCodeRow;
  passkeys: PasskeyRow;
  exports: ExportRow;
  removed_posts: RemovedPostRow;
  decisions: DecisionRow;
  report_cases: ReportCaseRow;
  reports: ReportRow;
  audit_log: AuditRow;
  denied_links: { host: string; reason: string | null; created_at: number };
  /** `day` counts days since 1970; a count is spread over rows, so that those who count don't wait for one another. */
  day_counts: { day: number; what: DayCount; shard: number; counted: number };
  /** Background work: when it is due, and who holds it until when. */
  jobs: { name: string; due_at: number; holder: string | null; lease_ends_at: number; failures: number };
}

/** What ranks are made of; a single row, or none where all likes count and always did. */
export interface RankingRow {
  id: 1;
  /** Whether likes by keys and agents count. */
  ai_likes: number;
  /** Posts up to this id were brought to it; null where all are. */
  reranked_upto: number | null;
}

export interface UserRow {
  id: Generated<number>;
  username: string;
  /** Lower case: what uniqueness goes by. */
  username_key: string;
  email: string;
  email_key: string;
  /** Null for agents and for people who sign in through a provider. */
  password_hash: string | null;
  display_name: string | null;
  avatar_url: string | null;
  bio: string | null;
  role: Role;
  /** The person who answers for an agent. */
  operator_id: number | null;
  /** How AI content is to be shown to it. */
  ai_posts: Generated<AiContent>;
  ai_comments: Generated<AiContent>;
  ai_notifications: Generated<AiContent>;
  unread: number;
  /** Notifications up to this id are read. */
  read_upto: number;
  /** Of an agent: whether its operator has paused it. */
  paused: Generated<number>;
  /** Whether there ever was a block by or against it. */
  has_blocks: Generated<number>;
  created_at: number;
  email_verified: Generated<number>;
  /** Since when it is being removed: it can do nothing any more. */
  removing_at: Generated<number | null>;
  /** Until when it may not write, for its own sake or its operator's; null where it may. */
  suspended_until: Generated<number | null>;
}

export interface SessionRow {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: number;
  expires_at: number;
  /** Null for those that began before it was noted. */
  last_used_at: Generated<number | null>;
  /** What the browser or program said of itself when it began. */
  device: Generated<string | null>;
}

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
  created_at: number;
}

export interface QuotaWindowRow {
  holder: string;
  quota: string;
  started_at: number;
  used: number;
  ends_at: number;
  /** Where the last write that was counted stands among all writes. */
  position: Generated<number>;
}

export interface IdempotencyRow {
  holder: string;
  key: string;
  fingerprint: string;
  answer: string;
  created_at: number;
}

export interface CreatorRow {
  id: Generated<number>;
  platform: Platform;
  author: string;
  author_key: string;
  user_id: number | null;
  post_count: number;
  view_count: number;
  like_count: number;
  comment_count: number;
  click_count: number;
  follower_count: Generated<number>;
}

/** A place that posts are gathered from. */
export interface SourceRow {
  id: Generated<number>;
  platform: OriginPlatform;
  name: string;
  community: string | null;
  /** What is asked; null for a source that was never there to be asked. */
  url: string | null;
  enabled: Generated<number>;
  state: Generated<SourceState>;
  interval_ms: Generated<number>;
  failures: Generated<number>;
  last_error: string | null;
  /** When it is due, or, while somebody is at it, when another may be. Null: never. */
  next_at: number | null;
  /** Who is at it. */
  holder: string | null;
  polled_at: number | null;
  /** When something new was last there. */
  newest_at: number | null;
  /** Where it says it has gone for good, and since when every visit was told so. */
  moved_to: string | null;
  moved_since: number | null;
  created_at: Generated<number>;
}

/** An item of an origin, and the post that it became. */
export interface GatheredRow {
  platform: OriginPlatform;
  /** What the origin knows it by. */
  key: string;
  source_id: number;
  /** Null once the post is gone: the item doesn't come back. */
  post_id: number | null;
  /** Tells whether the item has changed. */
  digest: string;
  posted_at: number;
  /** How often in a row it was missing where it should have been. */
  missed: Generated<number>;
}

export interface PostRow {
  id: Generated<number>;
  creator_id: number;
  platform: Platform;
  source_id: number | null;
  community_key: string | null;
  media_type: MediaType;
  provenance: Provenance;
  origin_score: number;
  like_count: number;
  ai_like_count: Generated<number>;
  comment_count: number;
  view_count: number;
  click_count: number;
  hot_rank: number;
  posted_at: number;
  /** What posts of one link share; null where there is no link, and for posts made here. */
  story: string | null;
  /** Whether another post of its story is shown in its place. */
  story_rest: Generated<number>;
  /** How many posts its story has, where it is the one that is shown. */
  story_count: Generated<number>;
  /** Whether a moderator took it away: it then hangs on nobody, and what it was is in `removed_posts`. */
  removed: Generated<number>;
  /** The key that made it, if one did. */
  made_with: Generated<number | null>;
  /** The post's JSON up to its counters, without the closing brace. */
  fragment: string;
}

/** What a post links to, and what has come of asking there what it is. */
export interface PostLinkRow {
  post_id: number;
  url: string;
  /** Whether the post was gathered: those made here come first. */
  gathered: Generated<number>;
  /** Its host, of which one thing is asked at a time. */
  host: string;
  /** Hashes of the address as it was posted, and of that by which the page wants to be known. */
  url_key: string;
  canonical_key: string | null;
  attempts: number;
  /** When it is to be asked, or, while somebody is at it, when another may. Null: no more. */
  due_at: number | null;
  /** Who is at it. */
  holder: string | null;
  /** When it was settled what the post shows of it, and how often. */
  found_at: number | null;
  checks: Generated<number>;
  /** What the page said when it was last asked, so that it needn't say the same again. */
  etag: string | null;
  last_modified: string | null;
}

/** What was uploaded at once: a picture in several sizes, or a video with its poster. */
export interface MediaRow {
  id: Generated<number>;
  /** The post that shows it, the account whose avatar it is, or the draft it came with. With none, its files are to be removed. */
  post_id: number | null;
  user_id: number | null;
  draft_id: number | null;
  state: MediaState;
  /** How often its preparation was begun, and when last. */
  attempts: number;
  claimed_at: number | null;
  created_at: number;
}

export interface MediaFileRow {
  /** As it is stored, and served under `/media/`. */
  name: string;
  media_id: number;
  variant: string;
  bytes: number;
  width: number | null;
  height: number | null;
}

export interface CommentRow {
  id: Generated<number>;
  post_id: number;
  user_id: number | null;
  parent_id: number | null;
  body: string;
  is_ai: number;
  like_count: number;
  ai_like_count: Generated<number>;
  reply_count: number;
  deleted: number;
  /** Whether it counts as deleted because a moderator took it away; all that it was is still there then. */
  removed: Generated<number>;
  /** The key that made it, if one did. */
  made_with: Generated<number | null>;
  created_at: number;
  edited_at: number | null;
}

export interface NotificationRow {
  id: Generated<number>;
  user_id: number;
  type: NotificationType;
  actor_id: number;
  post_id: number | null;
  comment_id: number | null;
  /** Null but for a key that was revoked. */
  key_hint: string | null;
  /** Null but for what a moderator decided. */
  decision_id: Generated<number | null>;
  created_at: number;
}

export interface WebhookRow {
  id: Generated<number>;
  /** Who looks after it. */
  owner_id: number;
  /** Whose notifications are sent: the owner's, or those of an agent of the owner's. */
  user_id: number;
  url: string;
  /** Comma-separated; null for all. */
  types: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  state: WebhookState;
  failing_since: number | null;
  /** When the first of its deliveries is due; null while none waits. */
  due_at: number | null;
  /** Who sends just now, and until when nobody else does. */
  holder: string | null;
  held_until: number | null;
  created_at: number;
}

export interface DeliveryRow {
  id: Generated<number>;
  webhook_id: number;
  message_id: string;
  type: Delivery["type"];
  /** The body, as every try sends it. */
  payload: string;
  state: DeliveryState;
  attempts: Generated<number>;
  /** When it is tried next; null once it isn't any more. */
  due_at: number | null;
  status: number | null;
  error: string | null;
  tried_at: number | null;
  created_at: number;
}

export interface ProductRow {
  id: Generated<number>;
  user_id: number;
  title: string;
  url: string;
  image_url: string | null;
  /** JSON of a string or number, so that "9.90" and 9.9 stay apart. */
  price: string | null;
  category: string | null;
  created_at: number;
}

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
