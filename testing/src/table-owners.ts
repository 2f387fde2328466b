import type { Schema } from "@tandem/server/storage/schema";
import { type LayerName, layerOf, type Module } from "./architecture.ts";

/** Which layers of the server may write each table, and the check that no other does. */

interface Ownership {
  /** Its functions are how others write the table. */
  owner: LayerName;
  /** Other layers with statements of their own, and why. */
  shared?: Partial<Record<LayerName, string>>;
}

const owned = (owner: LayerName, shared: Ownership["shared"] = {}): Ownership => ({ owner, shared });

const counters = "counters change in the transaction, and often the statement, of what they count";

const endsAccess = "everything that opens an account ends in one transaction";

const seeder = "the seeder inserts many rows per statement: benchmarks seed a million posts";

/** These layers may write any table. */
const writeAll: Partial<Record<LayerName, string>> = {
  "features/account-deletion": "an account takes everything that it owns with it",
  app: "the sweep deletes expired rows",
};

export const tableOwners: Record<keyof Schema, Ownership> = {
  // One row an account, so that one read authenticates a request. Each feature writes columns of its own.
  users: owned("features/accounts", {
    events: "unread count",
    "features/notifications": "unread count, read position",
    "features/keys": "pause of an agent",
    "features/moderation": "role, suspension, latest strike",
    "features/communities": "followed communities",
    "features/tags": "followed hashtags",
    "features/people": "whether the account has blocks, when its mutes change",
    "features/profile": "name, bio, avatar",
    commands: `role; ${seeder}`,
  }),
  identities: owned("features/accounts"),
  sessions: owned("features/accounts", { http: "authentication extends a session" }),
  keys: owned("features/keys", {
    "features/accounts": endsAccess,
    http: "counts accepted writes",
    "features/moderation": "tier",
    commands: "the seeder's keys have no secret",
  }),
  oauth_records: owned("features/oauth"),
  agent_requests: owned("features/keys"),
  quota_windows: owned("http", {
    "features/accounts": "gives back an attempt that succeeded",
    commands: "a migration between databases resets positions in the write-ahead log",
  }),
  idempotency: owned("http", { engine: "tests at the start whether the database can be written" }),
  nonces: owned("features/accounts"),
  used_signatures: owned("http"),
  pauses: owned("http"),
  hosts: owned("crawl"),
  hub_subscriptions: owned("features/sources"),
  creators: owned("features/creators", {
    "features/posts": counters,
    "features/shop": counters,
    commands: seeder,
  }),
  sources: owned("features/sources", {
    commands: "the seeder's sources have no address; `ingest` makes sources due",
  }),
  source_pages: owned("features/sources"),
  source_visits: owned("features/sources"),
  gathered: owned("features/sources", { "features/posts": "an item loses its post, or gets it back" }),
  posts: owned("features/posts", {
    "features/people": "a block ends reposts, which posts count",
    "features/shop": "the product card in the post's JSON, and its clicks",
    "features/sources": "imports change thousands of posts in one statement",
    commands: seeder,
  }),
  post_texts: owned("storage"),
  post_meanings: owned("features/similar", { "features/posts": "an edit outdates what a post means" }),
  creator_texts: owned("storage"),
  post_likes: owned("features/posts", { commands: seeder }),
  post_saves: owned("features/posts", { commands: seeder }),
  reposts: owned("features/posts", { "features/people": "a block ends reposts", commands: seeder }),
  polls: owned("features/posts", { commands: seeder }),
  poll_options: owned("features/posts", { commands: seeder }),
  poll_votes: owned("features/posts", { commands: seeder }),
  pinned_posts: owned("features/posts"),
  communities: owned("features/communities", { commands: seeder }),
  community_members: owned("features/communities", { commands: seeder }),
  community_pins: owned("features/communities"),
  dismissals: owned("features/posts", { commands: seeder }),
  post_tags: owned("features/tags"),
  tag_follows: owned("features/tags"),
  community_follows: owned("features/communities", { commands: seeder }),
  tag_uses: owned("features/tags", { commands: seeder }),
  tags: owned("features/tags"),
  comments: owned("features/comments", { "features/posts": counters, commands: seeder }),
  post_versions: owned("features/versions"),
  comment_versions: owned("features/versions"),
  comment_likes: owned("features/comments", {
    "features/posts": "a block removes likes between two accounts",
    commands: seeder,
  }),
  collections: owned("features/posts"),
  collection_posts: owned("features/posts"),
  saved_searches: owned("features/posts"),
  lists: owned("features/people"),
  list_members: owned("features/people"),
  mutes: owned("features/people"),
  follows: owned("features/people", { "features/creators": "a block ends the follow" }),
  notifications: owned("features/notifications", {
    events: "features below add notifications",
    commands: seeder,
  }),
  notification_mutes: owned("features/notifications"),
  webhooks: owned("features/webhooks", {
    "features/accounts": endsAccess,
    events: "adding a delivery sets when the webhook is due",
    commands: "the seeder's webhook has a fixed secret",
  }),
  webhook_deliveries: owned("features/webhooks", {
    events: "features below add deliveries",
    commands: "the seeder's deliveries were never sent",
  }),
  push_key: owned("features/webhooks"),
  products: owned("features/shop"),
  post_products: owned("features/shop", { commands: seeder }),
  product_clicks: owned("features/shop", { commands: seeder }),
  post_links: owned("features/posts"),
  profile_links: owned("features/profile", { commands: seeder }),
  drafts: owned("features/publishing", { "features/accounts": endsAccess }),
  draft_decisions: owned("features/publishing"),
  activity: owned("http", { "features/keys": "marks calls as undone" }),
  media: owned("media", { "features/posts": "imported posts lose their pictures in one statement" }),
  media_files: owned("media"),
  remote_pictures: owned("features/remote-pictures", {
    commands: "backups contain no cached pictures",
  }),
  ranking: owned("features/posts"),
  blocks: owned("features/people"),
  friendships: owned("features/people"),
  friend_requests: owned("features/people"),
  friend_declines: owned("features/people"),
  conversations: owned("features/messages"),
  conversation_sides: owned("features/messages"),
  messages: owned("features/messages"),
  sign_up_requests: owned("features/accounts"),
  invitations: owned("features/accounts"),
  sign_up_key: owned("features/accounts"),
  tokens: owned("features/accounts"),
  mails: owned("features/accounts"),
  digests: owned("features/accounts"),
  second_factors: owned("features/accounts"),
  recovery_codes: owned("features/accounts"),
  passkeys: owned("features/accounts"),
  known_places: owned("features/accounts"),
  imports: owned("features/imports"),
  imported_posts: owned("features/imports"),
  import_additions: owned("features/imports"),
  exports: owned("features/account-export", {
    commands: "a restore forgets files that backups don't contain",
  }),
  removed_posts: owned("features/posts"),
  decisions: owned("features/moderation"),
  report_cases: owned("features/moderation"),
  reports: owned("features/moderation"),
  audit_log: owned("http"),
  site_pages: owned("features/moderation"),
  denied_links: owned("features/moderation"),
  operator_counts: owned("features/transparency"),
  day_counts: owned("features/shared", { commands: seeder }),
  log_keys: owned("features/transparency-log"),
  log_head: owned("features/transparency-log"),
  log_pending: owned("features/transparency-log"),
  log_entries: owned("features/transparency-log"),
  log_tiles: owned("features/transparency-log", { commands: "`check --repair` computes hashes again" }),
  post_receipts: owned("features/transparency-log"),
  comment_receipts: owned("features/transparency-log"),
  current_receipts: owned("features/transparency-log"),
  lives: owned("features/live"),
  live_viewers: owned("features/live"),
  stream_keys: owned("features/live", { "features/accounts": endsAccess }),
  jobs: owned("jobs"),
};

/** Modules that write tables by a variable's name, and which tables these are. */
const byVariable: Record<string, string> = {
  "server/src/cli/check/relations.ts": "`check --repair` adds a missing side of a relationship",
  "server/src/cli/check/rule.ts": "`check --repair` corrects columns that follow from other rows",
  "server/src/cli/migrate/progress-table.ts": "a table of its own, which it drops at the end",
  "server/src/cli/migrate/rows.ts": "every table: it copies one database into another",
  "server/src/features/likes/likes.ts": "post_likes or comment_likes: one implementation for both",
  "server/src/features/transparency-log/append.ts":
    "post_receipts or comment_receipts: one implementation for both",
  "server/src/features/live/live.ts": "lives and stream_keys, which the feature owns",
  "server/src/http/credential.ts": "keys or sessions: when a credential was last used",
  "server/src/jobs/queue.ts": "the table of the queue that its owner passes",
};

/** Layers below any table's owner, which write the tables that they are given. */
const generic: readonly LayerName[] = ["storage", "engine"];

/** Statements that write a table, by Kysely or in SQL. */
const BUILT = /(?:insertInto|updateTable|deleteFrom|insertRows)\(\s*(?:\w+,\s*)?"(\w+)"/g;
const WRITTEN = /(?:insert into|delete from|update)\s+(\w+)\b/gi;

const VARIABLE =
  /(?:insertInto|updateTable|deleteFrom)\(\s*(?:tx,\s*)?[a-z]\w*\s*[,)]|(?:insert into|delete from|update)\s+\$\{/;

const codeOf = ({ source }: Module) => source.replace(/\/\*.*?\*\/|(?<!:)\/\/.*?$/gms, "");

/** The tables that a module writes, by statements that name them. */
function writtenBy(module: Module): (keyof Schema)[] {
  const code = codeOf(module);
  const names = [...code.matchAll(BUILT), ...code.matchAll(WRITTEN)].map(([, name]) => String(name));
  return [...new Set(names)].filter((name): name is keyof Schema => name in tableOwners);
}

/** Every write by a layer that may not, and every permission that none uses; one sentence each. */
export function findForeignWrites(modules: Module[]): string[] {
  const used = new Set<string>();
  const faults: string[] = [];
  for (const module of modules) {
    const layer = layerOf(module.path);
    if (!layer || !module.path.startsWith("server/") || module.path.includes("/migrations/")) continue;
    const mayBeAny = writeAll[layer] !== undefined || generic.includes(layer);
    if (!mayBeAny && !(module.path in byVariable) && VARIABLE.test(codeOf(module)))
      faults.push(`${module.path} (${layer}) writes a table by a variable's name`);
    for (const table of writtenBy(module)) {
      const { owner, shared = {} } = tableOwners[table];
      used.add(`${layer} ${table}`);
      if (layer !== owner && !shared[layer] && !writeAll[layer])
        faults.push(`${module.path} (${layer}) writes ${table}, which ${owner} owns`);
    }
  }
  for (const [table, { shared = {} }] of Object.entries(tableOwners))
    for (const layer of Object.keys(shared))
      if (!used.has(`${layer} ${table}`)) faults.push(`${layer} may write ${table}, and doesn't`);
  return faults;
}
