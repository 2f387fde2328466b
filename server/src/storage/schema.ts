import type { DayCount } from "@tandem/contract/moderation";
import type { NotificationSource, NotificationType } from "@tandem/contract/notifications";
import type { Platform } from "@tandem/contract/origins";
import type { AiContent, MediaState, MediaType, Provenance, Role } from "@tandem/contract/resources";
import type { Generated } from "kysely";
import type {
  ExportRow,
  MailRow,
  PasskeyRow,
  RecoveryCodeRow,
  SecondFactorRow,
  TokenRow,
} from "./schema/accounts.ts";
import type { ActivityRow, DraftRow, KeyRow } from "./schema/agents.ts";
import type { GatheredRow, PostLinkRow, SourceRow } from "./schema/gathering.ts";
import type { AuditRow, DecisionRow, RemovedPostRow, ReportCaseRow, ReportRow } from "./schema/moderation.ts";
import type { BlockRow, ConversationRow, ConversationSideRow, MessageRow } from "./schema/people.ts";
import type { DeliveryRow, NotificationRow, WebhookRow } from "./schema/telling.ts";

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
  /** By what browsers know whose pushes are ours, where no setting says it; a single row, or none before it is needed. */
  push_key: { id: 1; private_key: string };
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
  lives: LiveRow;
  stream_keys: StreamKeyRow;
  /** Periodic background work; see `jobs/job-runs.ts`. */
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

/** What was uploaded at once: a picture in several sizes, or a video with its poster. */
export interface MediaRow {
  id: Generated<number>;
  /** The post that shows it, the account whose avatar it is, or the draft it came with. With none, its files are to be removed. */
  post_id: number | null;
  user_id: number | null;
  draft_id: number | null;
  state: MediaState;
  /** How often its preparation was started. */
  attempts: number;
  /** When it is prepared; null once it is ready. */
  due_at: Generated<number | null>;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
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
  /** Whether it is served to nobody, because moderators took its post away. */
  withheld: Generated<number>;
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

/** Who is on air. The last three are null where no streaming server tells of it, and its owner's word is all there is. */
export interface LiveRow {
  user_id: number;
  title: string;
  started_at: number;
  /** Its name at the streaming server, */
  stream: string | null;
  /** the connection there that it comes through, */
  client: string | null;
  /** and when the server last said that it still does. */
  last_sign_at: number | null;
}

/** What an account may send a stream under, on air or not; the key itself is nowhere. */
export interface StreamKeyRow {
  user_id: number;
  stream: string;
  hash: string;
  title: string;
  /** The connection whose stream was the last to end: what is still said of it comes late. */
  ended_client: string | null;
}
