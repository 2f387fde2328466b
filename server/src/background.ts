import { DAY, MINUTE } from "@tandem/contract/durations";
import { removeRetired } from "./features/account-deletion/delete-account.ts";
import { sweepExports } from "./features/account-export/exports.queries.ts";
import { exportQueue, makeExports } from "./features/account-export/exports.ts";
import { mailQueue, sendMails } from "./features/accounts/mails.ts";
import { digestQueue, sendDigests } from "./features/digest/digest.ts";
import { sweepImports } from "./features/imports/imports.queries.ts";
import { importQueue, runImports } from "./features/imports/run-imports.ts";
import { endMutes } from "./features/people/mutes.ts";
import { announceClosedPolls } from "./features/posts/closed-polls.ts";
import { cardQueue, createAllCards, importedCardQueue } from "./features/posts/link-cards.ts";
import { drawPosters, posterQueue } from "./features/posts/posters.ts";
import { rerank } from "./features/posts/rerank.ts";
import { checkLinks, linkCheckQueue } from "./features/profile/link-checks.ts";
import { publishDue } from "./features/publishing/scheduled.ts";
import { evictRemotePictures } from "./features/remote-pictures/evict.ts";
import { productCardQueue, refreshDueCards } from "./features/shop/refresh-queue.ts";
import { understandPosts } from "./features/similar/understand-posts.ts";
import { visitSources } from "./features/sources/importer.ts";
import { sourceQueue } from "./features/sources/sources.queries.ts";
import { askHubs, subscriptionWork } from "./features/sources/websub/ask-hub.ts";
import { countTags } from "./features/tags/count-tags.ts";
import { rollUp } from "./features/transparency/operator-counts.ts";
import { integrate } from "./features/transparency-log/integrate.ts";
import { webhookQueue } from "./features/webhooks/sender.queries.ts";
import { senderOf } from "./features/webhooks/sender.ts";
import { sweep } from "./housekeeping.ts";
import type { Services } from "./http/services.ts";
import type { Job } from "./jobs/job.ts";
import type { AnyQueue } from "./jobs/queue.ts";
import { deleteOrphans, sweepStore } from "./media/delete-orphans.ts";

/** Work that a process left undone when it died; normally done right away. */
const posters: Job = { name: "posters", every: MINUTE, run: drawPosters };
const deletions: Job = { name: "deletions", every: MINUTE, run: deleteOrphans };

const productCards: Job = { name: "product-cards", every: MINUTE, run: refreshDueCards };

const cards: Job = {
  name: "cards",
  every: MINUTE,
  run: async (services, signal) => {
    if (services.config.linkCards) await createAllCards(services, signal);
  },
};

const linkChecks: Job = {
  name: "link-checks",
  every: MINUTE,
  run: async (services, signal) => {
    if (services.config.linkChecks) await checkLinks(services, signal);
  },
};

/** Only has work after the administrator changed the setting. */
const ranks: Job = { name: "ranks", every: MINUTE, run: rerank };
/** How long it takes until voters learn that a poll has closed. */
const closedPolls: Job = { name: "closed-polls", every: MINUTE / 6, run: announceClosedPolls };
/** The precision of scheduled publishing. */
const scheduled: Job = { name: "scheduled", every: MINUTE / 12, run: publishDue };
const removals: Job = {
  name: "removals",
  every: MINUTE,
  run: (services, signal) => removeRetired(services, signal),
};

const mails: Job = {
  name: "mails",
  every: MINUTE,
  run: async (services, signal) => {
    if (services.mailer.delivers) await sendMails(services, signal);
  },
};

const digests: Job = {
  name: "digests",
  every: 5 * MINUTE,
  run: async (services, signal) => {
    if (services.mailer.delivers) await sendDigests(services, signal);
  },
};

const exportsMade: Job = {
  name: "exports",
  every: MINUTE,
  run: async (services, signal) => {
    await makeExports(services, signal);
    await sweepExports(services);
  },
};

const imports: Job = {
  name: "imports",
  every: MINUTE,
  run: async (services, signal) => {
    await runImports(services, signal);
    await sweepImports(services);
  },
};

/** Expensive: lists all stored files. */
const strays: Job = { name: "strays", every: DAY, run: (services) => sweepStore(services) };

const remotePictures: Job = { name: "remote-pictures", every: MINUTE, run: evictRemotePictures };

/** How often due sources are checked for; limits how long an admin waits after "Fetch now". */
const sources: Job = {
  name: "sources",
  every: MINUTE / 6,
  run: visitSources,
};

/** Subscriptions to the hubs of feeds. */
const hubs: Job = { name: "hubs", every: MINUTE, run: askHubs };

/** Numbers for the transparency page. */
const numbers: Job = { name: "numbers", every: 5 * MINUTE, run: rollUp };

/** How long it takes until a post is found by meaning. */
const meanings: Job = {
  name: "meanings",
  every: MINUTE / 6,
  run: async (services, signal) => {
    if (services.config.similarPosts) await understandPosts(services, signal);
  },
};

/** How long it takes until a hashtag trends. */
const tags: Job = { name: "tags", every: MINUTE, run: countTags };

/** Retries, and messages left unsent by a process that died; others are sent right away. */
const webhooks: Job = {
  name: "webhooks",
  every: MINUTE / 6,
  run: (services, signal) => senderOf(services).run(signal),
};

/** How long it takes until an entry of the transparency log can be proved. */
const log: Job = { name: "log", every: MINUTE / 6, run: integrate };

/** The queues of deferred work that the service works on, for metrics. */
export function queuesOf({ config, mailer }: Services): AnyQueue[] {
  return [
    posterQueue,
    productCardQueue,
    exportQueue,
    importQueue,
    sourceQueue,
    subscriptionWork,
    webhookQueue,
    ...(config.linkCards ? [cardQueue, importedCardQueue] : []),
    ...(config.linkChecks ? [linkCheckQueue] : []),
    ...(mailer.delivers ? [mailQueue, digestQueue] : []),
  ];
}

/** All background jobs. */
export const backgroundJobs: readonly Job[] = [
  sweep,
  endMutes,
  posters,
  productCards,
  cards,
  linkChecks,
  ranks,
  scheduled,
  closedPolls,
  deletions,
  strays,
  remotePictures,
  sources,
  hubs,
  webhooks,
  removals,
  mails,
  digests,
  exportsMade,
  imports,
  log,
  numbers,
  meanings,
  tags,
];
