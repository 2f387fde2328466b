import type { NotificationSource, NotificationType } from "@tandem/contract/notifications";
import type { Platform } from "@tandem/contract/origins";
import type { MediaState, MediaType } from "@tandem/contract/post-resources";
import type { Provenance, ProvenanceBasis } from "@tandem/contract/provenance";
import type { AiContent, Role, SensitiveContent } from "@tandem/contract/resources";
import type { SitePageName } from "@tandem/contract/site-pages";
import type { StoredCount } from "@tandem/contract/transparency";
import type { VersionClearer, VersionMaker } from "@tandem/contract/version-names";
import type { Generated } from "kysely";
import type {
  DigestRow,
  ExportRow,
  ImportAdditionRow,
  ImportRow,
  InvitationRow,
  MailRow,
  PasskeyRow,
  ProfileLinkRow,
  RecoveryCodeRow,
  SecondFactorRow,
  SignUpRequestRow,
  TokenRow,
} from "./schema/accounts.ts";
import type { ActivityRow, AgentRequestRow, DraftDecisionRow, DraftRow, KeyRow } from "./schema/agents.ts";
import type { CollectionPostRow, CollectionRow, SavedSearchRow } from "./schema/collections.ts";
import type { CommunityFollowRow, CommunityMemberRow, CommunityRow } from "./schema/communities.ts";
import type {
  CurrentReceiptRow,
  LogHeadRow,
  LogKeyRow,
  LogTileRow,
  PendingEntryRow,
  ReceiptRow,
} from "./schema/log.ts";
import type { AuditRow, DecisionRow, RemovedPostRow, ReportCaseRow, ReportRow } from "./schema/moderation.ts";
import type { DeliveryRow, NotificationRow, WebhookRow } from "./schema/notifications.ts";
import type { OAuthRecordRow } from "./schema/oauth.ts";
import type {
  BlockRow,
  ConversationRow,
  ConversationSideRow,
  ListMemberRow,
  ListRow,
  MessageRow,
  MuteRow,
} from "./schema/people.ts";
import type {
  HubSubscriptionRow,
  ImportedItemRow,
  PostLinkRow,
  SourceRow,
  SourceVisitRow,
} from "./schema/sources.ts";
import type { PostTagRow, TagFollowRow, TagRow, TagUseRow } from "./schema/tags.ts";

/**
 * The tables and their columns. Times are milliseconds since 1970 (`…_at`), booleans are 0 or 1, and JSON is text, so
 * that the same types serve both engines. Text searched without regard to case has a normalized copy (`…_key`,
 * `folded`).
 */
export interface Schema {
  users: UserRow;
  /** Accounts at sign-in providers; `subject` is the provider's id of the user. */
  identities: { provider: string; subject: string; user_id: number };
  sessions: SessionRow;
  keys: KeyRow;
  oauth_records: OAuthRecordRow;
  agent_requests: AgentRequestRow;
  quota_windows: QuotaWindowRow;
  idempotency: IdempotencyRow;
  /** Unused nonces of sign-ins through a provider. */
  nonces: { hash: string; expires_at: number };
  /** Signatures of requests that a write has used, each of which counts once. */
  used_signatures: { hash: string; ends_at: number };
  creators: CreatorRow;
  sources: SourceRow;
  /** HTTP validators of a source's URLs, sent with the next conditional request. */
  source_pages: { source_id: number; url: string; etag: string | null; last_modified: string | null };
  source_visits: SourceVisitRow;
  gathered: ImportedItemRow;
  hub_subscriptions: HubSubscriptionRow;
  /** Sites that a process requests (`holder`), or that want no request before `free_at`, by the database's clock. */
  hosts: { host: string; holder: string | null; free_at: number };
  /** Receivers of requests that asked for a pause (`Retry-After`). */
  pauses: { receiver: string; ends_at: number };
  posts: PostRow;
  /** The searchable text of each post, normalized by `fold`. */
  post_texts: { post_id: number; folded: string };
  /**
   * What posts mean, as base64. `number` ascends with each change. `meaning` is null after an edit, until the new text is understood.
   * `near_id` is an earlier post that means nearly the same as one by an agent.
   */
  post_meanings: {
    post_id: number;
    number: number;
    meaning: string | null;
    near_id: number | null;
    near_percent: number | null;
  };
  /** The searchable name of each creator, normalized by `fold`. */
  creator_texts: { creator_id: number; folded: string };
  /** `by_ai`: whether an agent or a key liked it. */
  post_likes: { user_id: number; post_id: number; by_ai: Generated<number> };
  /** The counters of a post's poll; what it asks is in the post's fragment. */
  polls: {
    post_id: number;
    voter_count: Generated<number>;
    ai_voter_count: Generated<number>;
    closes_at: number;
    /** The voter who was notified last that it has closed, by id: 0 for none; null if all were. */
    announced_upto: number | null;
    /** The `announced_upto` to go on with once the removed post is restored; null if nothing is left to announce then. */
    stopped_upto: Generated<number | null>;
  };
  /** `position` counts from 0, and has one digit. */
  poll_options: {
    post_id: number;
    position: number;
    vote_count: Generated<number>;
    ai_vote_count: Generated<number>;
  };
  /** `choices`: positions of options, in order, as JSON. `by_ai`: whether an agent or a key voted. */
  poll_votes: { user_id: number; post_id: number; choices: string; by_ai: number; voted_at: number };
  post_saves: { user_id: number; post_id: number };
  collections: CollectionRow;
  collection_posts: CollectionPostRow;
  saved_searches: SavedSearchRow;
  /** `id` is one of the numbers of posts. `creator_id` is that of the account, `author_id` that of the post, null if it is imported. */
  reposts: {
    id: number;
    user_id: number;
    creator_id: number;
    post_id: number;
    author_id: number | null;
    by_ai: number;
    created_at: number;
  };
  pinned_posts: { user_id: number; post_id: number };
  communities: CommunityRow;
  community_members: CommunityMemberRow;
  /** Posts that a community shows first, the latest pinned one first. */
  community_pins: { community_id: number; post_id: number; pinned_at: number };
  dismissals: { user_id: number; post_id: number };
  comments: CommentRow;
  post_versions: EarlierVersion & { post_id: number };
  comment_versions: EarlierVersion & { comment_id: number };
  comment_likes: { user_id: number; comment_id: number; by_ai: Generated<number> };
  follows: { user_id: number; creator_id: number };
  post_tags: PostTagRow;
  tag_follows: TagFollowRow;
  community_follows: CommunityFollowRow;
  tag_uses: TagUseRow;
  tags: TagRow;
  notifications: NotificationRow;
  /** Notification types that an account has muted, by where they come from. */
  notification_mutes: { user_id: number; source: NotificationSource; type: NotificationType };
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  /** The generated VAPID key for browser pushes, unless a setting provides one. One row, created when first needed. */
  push_key: { id: 1; private_key: string };
  products: ProductRow;
  post_products: { post_id: number; product_id: number; position: number };
  /** `day` counts days since 1970; `post_id` is 0 for clicks outside posts. */
  product_clicks: { product_id: number; post_id: number; day: number; clicks: number };
  post_links: PostLinkRow;
  profile_links: ProfileLinkRow;
  drafts: DraftRow;
  draft_decisions: DraftDecisionRow;
  activity: ActivityRow;
  media: MediaRow;
  media_files: MediaFileRow;
  remote_pictures: RemotePictureRow;
  ranking: RankingRow;
  blocks: BlockRow;
  lists: ListRow;
  list_members: ListMemberRow;
  mutes: MuteRow;
  /** Each friendship is two rows, one from either side. */
  friendships: { user_id: number; friend_id: number; since: number };
  friend_requests: { id: Generated<number>; from_id: number; to_id: number; created_at: number };
  /** Declined friend requests of `from_id`; they can't ask `to_id` again before `ends_at`. */
  friend_declines: { from_id: number; to_id: number; ends_at: number };
  conversations: ConversationRow;
  conversation_sides: ConversationSideRow;
  messages: MessageRow;
  sign_up_requests: SignUpRequestRow;
  invitations: InvitationRow;
  /** The generated key that signs proof-of-work challenges. One row, created when first needed. */
  sign_up_key: { id: 1; secret: string };
  tokens: TokenRow;
  mails: MailRow;
  digests: DigestRow;
  second_factors: SecondFactorRow;
  recovery_codes: RecoveryCodeRow;
  passkeys: PasskeyRow;
  /** Devices and networks that have logged in to an account. */
  known_places: { user_id: number; hash: string; last_used_at: number };
  exports: ExportRow;
  imports: ImportRow;
  /** The posts that people imported from other platforms, by what identifies them there. */
  imported_posts: {
    user_id: number;
    key: string;
    post_id: number;
    /** The import that added it; null once that can't be undone. */
    import_id: number | null;
  };
  import_additions: ImportAdditionRow;
  removed_posts: RemovedPostRow;
  decisions: DecisionRow;
  report_cases: ReportCaseRow;
  reports: ReportRow;
  audit_log: AuditRow;
  /** Hosts that posts may not link to. */
  site_pages: { name: SitePageName; body: string; updated_at: number };
  denied_links: { host: string; reason: string | null; created_at: number };
  /** Daily statistics. `day` counts days since 1970. A count is the sum over its shards, so that writers rarely wait. */
  day_counts: { day: number; what: StoredCount; shard: number; counted: number };
  operator_counts: { agents: number; operators: number; counted_at: number };
  log_keys: LogKeyRow;
  log_head: LogHeadRow;
  log_pending: PendingEntryRow;
  /** The transparency log's entries, in order from 0. */
  log_entries: { position: number; entry: string };
  log_tiles: LogTileRow;
  post_receipts: ReceiptRow & { post_id: number };
  comment_receipts: ReceiptRow & { comment_id: number };
  current_receipts: CurrentReceiptRow;
  lives: LiveRow;
  live_viewers: LiveViewersRow;
  stream_keys: StreamKeyRow;
  /** Periodic background work; see `jobs/job-runs.ts`. */
  jobs: { name: string; due_at: number; holder: string | null; lease_ends_at: number; failures: number };
}

/** The setting that stored hot ranks follow. One row; none as long as AI likes have always counted. */
export interface RankingRow {
  id: 1;
  /** Whether likes by keys and agents count. */
  ai_likes: number;
  /** Posts up to this id have been re-ranked since the setting changed; null once all have. */
  reranked_upto: number | null;
}

export interface UserRow {
  id: Generated<number>;
  username: string;
  /** The username in lower case, which is unique. */
  username_key: string;
  email: string;
  email_key: string;
  /** Null for agents and for people who sign in through a provider. */
  password_hash: string | null;
  /** As it shows beside posts and everywhere else. Null for a person whose name is marked. */
  display_name: string | null;
  /** A person's name that is marked, because a key once wrote or changed it; the mark stays, even if the person writes another. Only the profile shows it. */
  ai_display_name: Generated<string | null>;
  avatar_url: string | null;
  banner_url: Generated<string | null>;
  bio: string | null;
  /** Whether a key or agent wrote the display name, the bio, the avatar or the banner. */
  display_name_is_ai: Generated<number>;
  bio_is_ai: Generated<number>;
  links_is_ai: Generated<number>;
  avatar_is_ai: Generated<number>;
  banner_is_ai: Generated<number>;
  role: Role;
  /** The person responsible for an agent; null for people. */
  operator_id: number | null;
  /** Preferences: how AI content is shown to this account. */
  ai_posts: Generated<AiContent>;
  ai_comments: Generated<AiContent>;
  ai_notifications: Generated<AiContent>;
  /** How posts with a content warning or sensitive media are shown to this account. */
  sensitive_posts: Generated<SensitiveContent>;
  /** The number of unread notifications. */
  unread: number;
  /** Notifications up to this id are read. */
  read_upto: number;
  /** Whether an agent's operator has paused it. */
  paused: Generated<number>;
  /** Whether the account has ever blocked or been blocked; if not, block checks are skipped. */
  has_blocks: Generated<number>;
  /** When the first of its mutes ends, `MAX_ID` if none does, and null if it has none. */
  mutes_change_at: Generated<number | null>;
  /** How many hashtags and communities it follows. */
  followed_tags: Generated<number>;
  followed_communities: Generated<number>;
  created_at: number;
  email_verified: Generated<number>;
  /** When its deletion started; the account can't be used from then on. */
  removing_at: Generated<number | null>;
  /** The end of its suspension, or its operator's, during which it can't write; null if not suspended. */
  suspended_until: Generated<number | null>;
  /** When it got its latest strike, unless that was withdrawn. */
  last_strike_at: Generated<number | null>;
  /** Whether the person has closed the list of first steps. */
  checklist_closed: Generated<number>;
  /** Who invited the person. */
  invited_by: Generated<number | null>;
}

export interface SessionRow {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: number;
  expires_at: number;
  /** Null for sessions older than this column. */
  last_used_at: Generated<number | null>;
  /** Describes the client that signed in, from its User-Agent header. */
  device: Generated<string | null>;
  /** When its user last proved who they are: by signing in, or with a password or passkey since. */
  proven_at: Generated<number>;
}

/** The current window of a quota. */
export interface QuotaWindowRow {
  /** Whose count it is; see `holderOf` in `http/quota.ts`. */
  holder: string;
  quota: string;
  started_at: number;
  used: number;
  ends_at: number;
  /** The position of the holder's last counted write: their reads go only to replicas that have replayed it. */
  position: Generated<number>;
}

/** The stored response of a write that was sent with an Idempotency-Key. */
export interface IdempotencyRow {
  holder: string;
  key: string;
  /** Identifies the request, so that reusing the key for another one is an error. */
  fingerprint: string;
  answer: string;
  created_at: number;
}

/** An author of posts, native or on another platform. */
export interface CreatorRow {
  id: Generated<number>;
  platform: Platform;
  author: string;
  author_key: string;
  /** The account of a native creator. */
  user_id: number | null;
  post_count: number;
  view_count: number;
  like_count: number;
  comment_count: number;
  click_count: number;
  follower_count: Generated<number>;
}

/** The version that a post or comment shows now. */
export interface CurrentVersion {
  /** Rises by one with every edit that others can see. */
  version: Generated<number>;
  /** When it was made; null for the first, and for edits before versions were kept. */
  version_at: Generated<number | null>;
  /** Who made it; null where `version_at` is. */
  version_by: Generated<VersionMaker | null>;
  /** The key that made it; null for the first, and if a session or the origin did. */
  edited_with: Generated<number | null>;
}

/** A version that an edit replaced. */
export interface EarlierVersion {
  version: number;
  made_at: number;
  made_by: VersionMaker;
  key_id: number | null;
  provenance: Provenance;
  basis: ProvenanceBasis;
  /** JSON of what it showed; null once it is cleared. */
  content: string | null;
  cleared_at: number | null;
  cleared_by: VersionClearer | null;
}

export interface PostRow extends CurrentVersion {
  id: Generated<number>;
  creator_id: number;
  platform: Platform;
  /** The source that it was imported from. */
  source_id: number | null;
  community_key: string | null;
  media_type: MediaType;
  provenance: Provenance;
  /** Who says what the provenance is. */
  basis: ProvenanceBasis;
  /** The score at the origin, without likes here. */
  origin_score: number;
  like_count: number;
  ai_like_count: Generated<number>;
  comment_count: number;
  view_count: number;
  click_count: number;
  /** The sort key of the hot feed, recomputed when likes, comments or the origin's score change. */
  hot_rank: number;
  posted_at: number;
  /** Shared by imported posts of the same link; null for native posts and posts without a link. */
  story: string | null;
  /** 1 if another post of its story is shown instead. */
  story_rest: Generated<number>;
  /** The number of posts in its story, if this is the one shown. */
  story_count: Generated<number>;
  /** Whether its author imported it from an export: most feeds leave it out. `story_rest` is then 1, too. */
  archived: Generated<number>;
  /** Whether a moderator removed it. Its creator and filters are then in `removed_posts` instead. */
  removed: Generated<number>;
  /** The key that created it; null if a session did. */
  made_with: Generated<number | null>;
  /** Whether it has a content warning or sensitive media. */
  sensitive: Generated<number>;
  /**
   * The post that it quotes and shows. Null once that post's author has detached it, though its JSON still names it. It may have been
   * deleted.
   */
  quoted_id: Generated<number | null>;
  repost_count: Generated<number>;
  /** The reposts by keys and agents. */
  ai_repost_count: Generated<number>;
  /** How many posts quote it, apart from removed ones and those from which its author detached it. */
  quote_count: Generated<number>;
  /** The post's JSON up to its counters; see `toFragment`. */
  fragment: string;
  /** JSON of the contract's `PostOrigin`, for imported posts whose page at the origin is known. */
  origin_json: Generated<string | null>;
  /**
   * Makes the row the pending entry of its first version in the transparency log: that entry's salt, operator and signer. Null once
   * the post is edited, and if the entry has a row in `log_pending`.
   */
  first_entry: Generated<string | null>;
}

/** One upload: an image in several sizes, or a video with its poster. */
export interface MediaRow {
  id: Generated<number>;
  /** The owner: a post, an account (its avatar or banner), a draft or a community. Without any, the files get deleted. */
  post_id: number | null;
  user_id: number | null;
  draft_id: number | null;
  community_id: Generated<number | null>;
  /** Whether it is a profile's banner rather than its avatar. */
  is_banner: Generated<number>;
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
  /** The name in media storage and under `/media/`. */
  name: string;
  media_id: number;
  variant: string;
  bytes: number;
  width: number | null;
  height: number | null;
  /** Whether it isn't served because its post was removed by a moderator. */
  withheld: Generated<number>;
  /** The AI mark that is embedded in it; null if there is none, or it isn't known. */
  mark: Generated<"trainedAlgorithmicMedia" | "compositeWithTrainedAlgorithmicMedia" | null>;
  /** The hash of its bytes, in hexadecimal; null for files from before the transparency log. */
  sha256: string | null;
}

/** A picture of another host in the cache, or that it can't be had. */
export interface RemotePictureRow {
  /** A hash of its URL and the size that it is served in. */
  key: string;
  /** The name in media storage; null while there is none. */
  file: string | null;
  bytes: Generated<number>;
  /** When it is fetched again; 0 if it never was. */
  expires_at: Generated<number>;
  /** When it was last served, to the hour. */
  used_at: number;
  /** Until then, a process is fetching it. */
  lease_ends_at: number;
}

export interface CommentRow extends CurrentVersion {
  id: Generated<number>;
  post_id: number;
  /** Null once the author's account is deleted. */
  user_id: number | null;
  /** The comment that it replies to. */
  parent_id: number | null;
  body: string;
  is_ai: number;
  like_count: number;
  ai_like_count: Generated<number>;
  reply_count: number;
  /** Whether it is shown as deleted, which keeps its replies in place. */
  deleted: number;
  /** Whether it is shown as deleted because a moderator removed it. Its text stays, so that it can be restored. */
  removed: Generated<number>;
  /** The key that created it; null if a session did. */
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
  /** A JSON string or number, as it was sent: "9.90" and 9.9 differ. */
  price: string | null;
  category: string | null;
  /** Whether a key or agent added or edited it. */
  is_ai: Generated<number>;
  created_at: number;
  /** When its cards are due; null if all posts show it as it is. */
  due_at: Generated<number | null>;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
  /** Of the posts that show it, those up to this id are done. */
  cards_after: Generated<number>;
  /** Whether the edit stamps the posts, and with which key. */
  cards_stamp: Generated<number>;
  cards_key_id: Generated<number | null>;
}

/** A live stream. The last three columns are null if the account listed itself, without a streaming server. */
export interface LiveRow {
  user_id: number;
  title: string;
  started_at: number;
  /** The stream's name on the streaming server. */
  stream: string | null;
  /** The streaming server's id of the connection that sends it. */
  client: string | null;
  /** When the streaming server last reported it. */
  last_sign_at: number | null;
  /** The number in the account's playlist of the stream's segment `upstream_number`; null until the streaming server has a playlist. */
  first_number: number | null;
  upstream_number: number | null;
  /** The post whose comments are its chat, which may have been deleted. */
  post_id: number | null;
}

/** How many watch an account's stream through one process. */
export interface LiveViewersRow {
  user_id: number;
  /** A random name of the process. */
  process: string;
  viewers: number;
  /** The viewers with the lowest numbers, as JSON: enough to merge counts of several processes. */
  sample: string;
  counted_at: number;
}

/** An account's stream name and stream key, whether or not it is live. Only the key's hash is stored. */
export interface StreamKeyRow {
  user_id: number;
  stream: string;
  hash: string;
  /** The title of its next stream. */
  title: string;
  /** The chat of its next stream. */
  post_id: number | null;
  /** The connection of the last stream to end; later events about it are out of date and ignored. */
  ended_client: string | null;
}
