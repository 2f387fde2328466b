import type { OriginPlatform, Platform } from "@tandem/contract/origins";
import type {
  AiContent,
  MediaState,
  MediaType,
  NotificationType,
  Provenance,
  Role,
  SourceState,
} from "@tandem/contract/resources";
import type { Tier } from "@tandem/contract/tiers";
import type { Generated } from "kysely";

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
  products: ProductRow;
  post_products: { post_id: number; product_id: number; position: number };
  /** `day` counts days since 1970; `post_id` is 0 for clicks that came from no post. */
  product_clicks: { product_id: number; post_id: number; day: number; clicks: number };
  post_links: PostLinkRow;
  media: MediaRow;
  media_files: MediaFileRow;
  ranking: RankingRow;
  lives: LiveRow;
  stream_keys: StreamKeyRow;
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
  unread: number;
  /** Notifications up to this id are read. */
  read_upto: number;
  created_at: number;
}

export interface SessionRow {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  created_at: number;
  expires_at: number;
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
  created_at: number;
  last_used_at: number | null;
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
  /** The post that shows it, or the account whose avatar it is. With neither, its files are to be removed. */
  post_id: number | null;
  user_id: number | null;
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
