import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { start } from "./migrations/0001-start.ts";
import { jobs } from "./migrations/0002-jobs.ts";
import { positions } from "./migrations/0003-positions.ts";
import { media } from "./migrations/0004-media.ts";
import { keyHints } from "./migrations/0005-key-hints.ts";
import { gathering } from "./migrations/0006-gathering.ts";
import { postLinks } from "./migrations/0007-post-links.ts";
import { movesAndLinks } from "./migrations/0008-moves-and-links.ts";
import { betweenPeople } from "./migrations/0009-between-people.ts";
import { accounts } from "./migrations/0010-accounts.ts";
import { moderation } from "./migrations/0011-moderation.ts";
import { notices } from "./migrations/0012-notices.ts";
import { operatorsConsole } from "./migrations/0013-console.ts";
import { aiLikes } from "./migrations/0014-ai-likes.ts";
import { streamKeys } from "./migrations/0015-stream-keys.ts";
import { secondLooks } from "./migrations/0016-second-looks.ts";
import { unreadMessages } from "./migrations/0017-unread-messages.ts";
import { productCategories } from "./migrations/0018-product-categories.ts";
import { browsers } from "./migrations/0019-browsers.ts";
import { oneLease } from "./migrations/0020-one-lease.ts";
import { provenanceBasis } from "./migrations/0021-provenance-basis.ts";
import { accountLimits } from "./migrations/0022-account-limits.ts";
import { profileLinks } from "./migrations/0023-profile-links.ts";
import { versions } from "./migrations/0024-versions.ts";
import { transparencyLog } from "./migrations/0025-transparency-log.ts";
import { aiMarks } from "./migrations/0026-ai-marks.ts";
import { transparency } from "./migrations/0027-transparency.ts";
import { leftoverMarks } from "./migrations/0028-leftover-marks.ts";
import { knownPlaces } from "./migrations/0032-known-places.ts";
import { proofsAndEnds } from "./migrations/0033-proofs-and-ends.ts";
import { registration } from "./migrations/0034-registration.ts";
import { remotePictures } from "./migrations/0037-remote-pictures.ts";
import { mailsTellWhatEnded } from "./migrations/0040-mails-tell-what-ended.ts";
import { pendingEntriesBySubject } from "./migrations/0042-pending-entries-by-subject.ts";
import { webhooksOfKeys } from "./migrations/0046-webhooks-of-keys.ts";
import { agentRequests } from "./migrations/0055-agent-requests.ts";
import { oauth } from "./migrations/0060-oauth.ts";
import { signers } from "./migrations/0061-signers.ts";
import { liveNumbers } from "./migrations/0062-live-numbers.ts";
import { postOrigins } from "./migrations/0063-post-origins.ts";
import { hosts } from "./migrations/0064-hosts.ts";
import { webSub } from "./migrations/0065-websub.ts";
import { sourceVisits } from "./migrations/0066-source-visits.ts";
import { sitePages } from "./migrations/0067-site-pages.ts";
import { notificationTypes } from "./migrations/0068-notification-types.ts";
import { sourceNames } from "./migrations/0069-source-names.ts";
import { authorNames } from "./migrations/0070-author-names.ts";
import { commentsByLikes } from "./migrations/0071-comments-by-likes.ts";
import { postsByDate } from "./migrations/0072-posts-by-date.ts";
import { pinnedPosts } from "./migrations/0073-pinned-posts.ts";
import { checklist } from "./migrations/0074-checklist.ts";
import { liveChat } from "./migrations/0075-live-chat.ts";
import { banners } from "./migrations/0076-banners.ts";
import { liveViewerSamples } from "./migrations/0077-live-viewer-samples.ts";
import { communities } from "./migrations/0078-communities.ts";
import { communityModeration } from "./migrations/0079-community-moderation.ts";
import { sensitivePosts } from "./migrations/0080-sensitive-posts.ts";
import { firstEntries } from "./migrations/0081-first-entries.ts";
import { communityReports } from "./migrations/0082-community-reports.ts";
import { mutes } from "./migrations/0083-mutes.ts";
import { tags } from "./migrations/0084-tags.ts";
import { aiNames } from "./migrations/0085-ai-names.ts";
import { decisionMarks } from "./migrations/0086-decision-marks.ts";
import { currentReceipts } from "./migrations/0087-current-receipts.ts";
import { openedNotifications } from "./migrations/0088-opened-notifications.ts";
import { quotes } from "./migrations/0089-quotes.ts";
import { lists } from "./migrations/0090-lists.ts";
import { reposts } from "./migrations/0091-reposts.ts";
import { polls } from "./migrations/0092-polls.ts";
import { collections } from "./migrations/0093-collections.ts";
import { digests } from "./migrations/0095-digests.ts";
import { following } from "./migrations/0097-following.ts";
import { imports } from "./migrations/0098-imports.ts";
import { postMeanings } from "./migrations/0099-post-meanings.ts";
import { toldAbout } from "./migrations/0100-told-about.ts";
import { memberAgents } from "./migrations/0101-member-agents.ts";
import { importAdditions } from "./migrations/0102-import-additions.ts";
import { archivedRanks } from "./migrations/0103-archived-ranks.ts";
import { meaningsAgain } from "./migrations/0104-meanings-again.ts";
import { repostAuthors } from "./migrations/0105-repost-authors.ts";
import { stoppedPolls } from "./migrations/0106-stopped-polls.ts";
import { draftDecisions } from "./migrations/0107-draft-decisions.ts";
import { confirmedWebhooks } from "./migrations/0108-confirmed-webhooks.ts";
import { type Db, dbOf } from "./storage.ts";

/** In order, each named by number and purpose. Never change a released migration; add a new one instead. */
const steps: Record<string, (db: Db) => Promise<void>> = {
  // Accounts, posts and everything that belongs to them.
  "0001-start": start,
  // Background jobs and their leases.
  "0002-jobs": jobs,
  // Callers' last writes, for reads from replicas.
  "0003-positions": positions,
  // Media and their files.
  "0004-media": media,
  // Hints of revoked keys in notifications.
  "0005-key-hints": keyHints,
  // Imports: polling of sources, imported items, stories.
  "0006-gathering": gathering,
  // Links of posts, and the queue that fetches their previews.
  "0007-post-links": postLinks,
  // Sources' permanent redirects, and marks on imported posts' links.
  "0008-moves-and-links": movesAndLinks,
  // Blocks, friends and messages.
  "0009-between-people": betweenPeople,
  // Verified addresses, second factors, passkeys, mails, exports, account deletion.
  "0010-accounts": accounts,
  // Reports, decisions, suspensions, blocked links and the audit log.
  "0011-moderation": moderation,
  // Muted notification types, and webhooks.
  "0012-notices": notices,
  // The operator's console: pauses, custom limits, approval, activity, drafts.
  "0013-console": operatorsConsole,
  // Marks on likes by keys and agents, and AI preferences.
  "0014-ai-likes": aiLikes,
  // Stream keys of a streaming server.
  "0015-stream-keys": streamKeys,
  // Additions to drafts, activity, tiers, removed files and suspensions.
  "0016-second-looks": secondLooks,
  // An index for counting unread messages.
  "0017-unread-messages": unreadMessages,
  // An index for products by category.
  "0018-product-categories": productCategories,
  // Browser push subscriptions.
  "0019-browsers": browsers,
  // The same lease columns in all queues.
  "0020-one-lease": oneLease,
  // Where a post's provenance comes from.
  "0021-provenance-basis": provenanceBasis,
  // Quotas and strikes of accounts instead of keys.
  "0022-account-limits": accountLimits,
  // Links on profiles, and the queue that verifies them.
  "0023-profile-links": profileLinks,
  // Earlier versions of posts and comments.
  "0024-versions": versions,
  // The transparency log, and receipts.
  "0025-transparency-log": transparencyLog,
  // Marks of AI content on products and profiles.
  "0026-ai-marks": aiMarks,
  // Counts of posts by label, decisions and appeals, for the transparency page.
  "0027-transparency": transparency,
  // The mark of AI content on a profile's links, and the queue that rewrites product cards.
  "0028-leftover-marks": leftoverMarks,
  // Devices and networks that have logged in to an account.
  "0032-known-places": knownPlaces,
  // When a session's user last proved who they are, and when a key ends.
  "0033-proofs-and-ends": proofsAndEnds,
  // Sign-ups that wait for approval, invitations, and the inviter of each account.
  "0034-registration": registration,
  // The cache of pictures of other hosts.
  "0037-remote-pictures": remotePictures,
  // What a mail tells that its cause ended.
  "0040-mails-tell-what-ended": mailsTellWhatEnded,
  // Entries that wait for the transparency log, in one index instead of two.
  "0042-pending-entries-by-subject": pendingEntriesBySubject,
  // The key that created a webhook, and two operations' new names.
  "0046-webhooks-of-keys": webhooksOfKeys,
  // Agents that ask for an account.
  "0055-agent-requests": agentRequests,
  // Apps that someone authorized by OAuth, and what the authorization server remembers.
  "0060-oauth": oauth,
  // Whose key signed a request.
  "0061-signers": signers,
  // Where live streams begin in their accounts' playlists.
  "0062-live-numbers": liveNumbers,
  // Imported posts' pages, scores and comment counts at their origin.
  "0063-post-origins": postOrigins,
  // When other sites may be sent the next request.
  "0064-hosts": hosts,
  // Subscriptions to the hubs of feeds.
  "0065-websub": webSub,
  // The last visits to each source.
  "0066-source-visits": sourceVisits,
  "0067-site-pages": sitePages,
  // An index for lists of notifications of some types.
  "0068-notification-types": notificationTypes,
  // Finds sources by name, and counts what they have brought.
  "0069-source-names": sourceNames,
  // The display names of authors in their posts.
  "0070-author-names": authorNames,
  "0071-comments-by-likes": commentsByLikes,
  "0072-posts-by-date": postsByDate,
  "0073-pinned-posts": pinnedPosts,
  "0074-checklist": checklist,
  "0075-live-chat": liveChat,
  "0076-banners": banners,
  "0077-live-viewer-samples": liveViewerSamples,
  "0078-communities": communities,
  "0079-community-moderation": communityModeration,
  "0080-sensitive-posts": sensitivePosts,
  "0081-first-entries": firstEntries,
  "0082-community-reports": communityReports,
  "0083-mutes": mutes,
  // Hashtags that people use, and accounts by the beginning of their name.
  "0084-tags": tags,
  "0085-ai-names": aiNames,
  "0086-decision-marks": decisionMarks,
  // Receipts of products, profiles, live streams and communities.
  "0087-current-receipts": currentReceipts,
  "0088-opened-notifications": openedNotifications,
  "0089-quotes": quotes,
  "0090-lists": lists,
  "0091-reposts": reposts,
  "0092-polls": polls,
  "0093-collections": collections,
  "0095-digests": digests,
  // Followed hashtags and communities, and saved searches.
  "0097-following": following,
  "0098-imports": imports,
  "0099-post-meanings": postMeanings,
  "0100-told-about": toldAbout,
  "0101-member-agents": memberAgents,
  "0102-import-additions": importAdditions,
  "0103-archived-ranks": archivedRanks,
  "0104-meanings-again": meaningsAgain,
  "0105-repost-authors": repostAuthors,
  "0106-stopped-polls": stoppedPolls,
  "0107-draft-decisions": draftDecisions,
  "0108-confirmed-webhooks": confirmedWebhooks,
};

/** Checks a database before anything in it changes, and throws if it must not be opened. */
export type BeforeMigration = (db: Db) => Promise<void>;

/** Migrates an empty or older database to the latest schema. Throws if a step fails; that step is rolled back. */
export async function migrate(db: Db, beforeMigration?: BeforeMigration): Promise<void> {
  await beforeMigration?.(db);
  if (await isUpToDate(db)) return;
  const isUpgrade = (await schemaOf(db)) !== null;
  const { error } = await migratorOf(db).migrateToLatest();
  if (error) throw error;
  // PostgreSQL would plan for new tables and columns by guesses until it next does this by itself, which can be days later.
  if (isUpgrade) await db.engine.catalog.analyze(db);
}

/** Whether exactly the known steps are done. Kysely finds out too, but first reads all tables and columns from the catalog. */
async function isUpToDate(db: Db): Promise<boolean> {
  if (!(await db.engine.catalog.has(db, DEFAULT_MIGRATION_TABLE))) return false;
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const names = rows.map(({ name }) => name).sort();
  return names.join() === Object.keys(steps).join();
}

/** The latest schema: the name of its last step. */
export const latestSchema = Object.keys(steps).at(-1) ?? "";

/** Whether this version of Tandem knows the schema. It doesn't know those of later versions. */
export function isKnownSchema(schema: string): boolean {
  return Object.hasOwn(steps, schema);
}

/** The schema of a database; null if it isn't Tandem's. */
export async function schemaOf(db: Db): Promise<string | null> {
  if (!(await db.engine.catalog.has(db, DEFAULT_MIGRATION_TABLE))) return null;
  const { rows } = await sql<{ name: string | null }>`
    select max(name) as name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows[0]?.name ?? null;
}

/** Creates the tables of a known schema in an empty database, within the transaction that `tx` is in. */
export async function createSchema(tx: Db, schema: string): Promise<void> {
  const { error } = await migratorOf(tx).migrateTo(schema, { disableTransactions: true });
  if (error) throw error;
}

/** The last migration of this database that only a newer version knows; null without one. */
export async function newerMigration(db: Db): Promise<string | null> {
  const schema = await schemaOf(db);
  return schema === null || isKnownSchema(schema) ? null : schema;
}

function migratorOf(db: Db): Migrator {
  const { engine, secrets } = db;
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    { up: (tx) => step(dbOf(tx, engine, secrets)) },
  ]);
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(migrations) } });
}
