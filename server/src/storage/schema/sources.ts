import type { OriginPlatform } from "@tandem/contract/origins";
import type { VisitOutcome } from "@tandem/contract/source-visits";
import type { SourceState } from "@tandem/contract/sources";
import type { Generated } from "kysely";

/** A feed, community or account on another platform that posts are imported from. */
export interface SourceRow {
  id: Generated<number>;
  platform: OriginPlatform;
  name: string;
  community: string | null;
  /** The address that is polled; null for sources that can't be polled, such as demo data. */
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
  /** When a poll last returned something new. */
  newest_at: number | null;
  /** When its hub last announced something new. */
  pushed_at: number | null;
  /** The target of its permanent redirect, and since when every poll has returned it. */
  moved_to: string | null;
  moved_since: number | null;
  created_at: Generated<number>;
  /** How many visits it has had; postponed ones don't count. */
  visits: Generated<number>;
  /** How many posts it has brought, including those deleted since. */
  imported: Generated<number>;
}

/** One of the last visits to a source. */
export interface SourceVisitRow {
  source_id: number;
  /** Its number modulo the visits that are kept. */
  slot: number;
  number: number;
  started_at: number;
  duration_ms: number;
  outcome: VisitOutcome;
  seen: number;
  added: number;
  changed: number;
  withdrawn: number;
  /** JSON: how many items were skipped for which reason, and examples. Null if none were. */
  skipped: string | null;
  error: string | null;
  requests: number;
  bytes: number;
}

/** A subscription to the hub that announces changes of a source's feed (WebSub). */
export interface HubSubscriptionRow {
  id: Generated<number>;
  /** Null for a subscription that is to end. */
  source_id: number | null;
  hub: string;
  topic: string;
  /** The end of the callback's path, which only the hub knows. */
  callback: string;
  /** Signs announcements. Encrypted. */
  secret: string;
  /** What the hub is asked for and hasn't verified yet. */
  asked: "subscribe" | "unsubscribe" | null;
  /** When the subscription ends unless it is renewed; null until the hub has verified it. */
  active_until: number | null;
  attempts: Generated<number>;
  /** When the hub is asked next. */
  due_at: number | null;
  holder: string | null;
  lease_ends_at: Generated<number | null>;
}

/** An imported item, and the post that was created from it. The table is named `gathered`, as importing was once called. */
export interface ImportedItemRow {
  platform: OriginPlatform;
  /** The item's id at the origin. */
  key: string;
  source_id: number;
  /** Null once the post is deleted; the row stays, so that the item isn't imported again. */
  post_id: number | null;
  /** A hash of its content, which shows whether the item has changed. */
  digest: string;
  posted_at: number;
  /** How many polls in a row it was missing from where it should be. */
  missed: Generated<number>;
}

/** A post's link, and the state of fetching its preview. */
export interface PostLinkRow {
  post_id: number;
  url: string;
  /** Whether the post was imported; links of native posts are fetched first. */
  gathered: Generated<number>;
  /** The URL's host; one request per host runs at a time. */
  host: string;
  /** A hash of the URL as posted. */
  url_key: string;
  /** No longer written: a page could claim to be another. A later release drops it. */
  canonical_key: string | null;
  attempts: number;
  /** When its page is fetched next; null: never. */
  due_at: number | null;
  holder: string | null;
  lease_ends_at: Generated<number | null>;
  /** When the preview was last determined, and how often it has been. */
  found_at: number | null;
  checks: Generated<number>;
  /** HTTP validators for the next conditional request. */
  etag: string | null;
  last_modified: string | null;
}
