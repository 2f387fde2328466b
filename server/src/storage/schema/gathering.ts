import type { OriginPlatform } from "@tandem/contract/origins";
import type { SourceState } from "@tandem/contract/sources";
import type { Generated } from "kysely";

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
  /** When it is polled next; null: never. */
  due_at: number | null;
  holder: string | null;
  lease_ends_at: Generated<number | null>;
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
  /** When its page is fetched next; null: never. */
  due_at: number | null;
  holder: string | null;
  lease_ends_at: Generated<number | null>;
  /** When it was settled what the post shows of it, and how often. */
  found_at: number | null;
  checks: Generated<number>;
  /** What the page said when it was last asked, so that it needn't say the same again. */
  etag: string | null;
  last_modified: string | null;
}
