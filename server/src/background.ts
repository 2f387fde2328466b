import { removeRetired } from "./features/accounts/delete-account.ts";
import { sweepExports } from "./features/accounts/exports.queries.ts";
import { makeExports } from "./features/accounts/exports.ts";
import { sendMails } from "./features/accounts/mails.ts";
import { publishDue } from "./features/drafts/scheduled.ts";
import { drawAllCards } from "./features/posts/link-cards.ts";
import { drawPosters } from "./features/posts/posters.ts";
import { rerank } from "./features/posts/rerank.ts";
import { Poller } from "./features/sources/poller.ts";
import { countVisits } from "./features/sources/visits.ts";
import { senderOf } from "./features/webhooks/sender.ts";
import { sweep } from "./housekeeping.ts";
import type { House } from "./http/house.ts";
import { onceFor } from "./http/once-for.ts";
import type { Job } from "./jobs/job.ts";
import { collect, sweepStore } from "./media/collect.ts";

const MINUTE = 60_000;

/** What a process that died has left undone: as a rule it is done at once, by whoever gave cause. */
const posters: Job = { name: "posters", every: MINUTE, run: (house) => drawPosters(house) };
const deletions: Job = { name: "deletions", every: MINUTE, run: collect };

const cards: Job = {
  name: "cards",
  every: MINUTE,
  run: async (house, signal) => {
    if (house.config.linkCards) await drawAllCards(house, signal);
  },
};

/** Nothing is left to do as a rule; where the operator chose anew, it is done once. */
const ranks: Job = { name: "ranks", every: MINUTE, run: rerank };
/** As exact as a time on a post need be. */
const scheduled: Job = { name: "scheduled", every: MINUTE / 12, run: publishDue };
const removals: Job = {
  name: "removals",
  every: MINUTE,
  run: (house, signal) => removeRetired(house, signal),
};

const mails: Job = {
  name: "mails",
  every: MINUTE,
  run: async (house, signal) => {
    if (house.mailer.delivers) await sendMails(house, signal);
  },
};

const exportsMade: Job = {
  name: "exports",
  every: MINUTE,
  run: async (house, signal) => {
    await makeExports(house, signal);
    await sweepExports(house);
  },
};

/** All that is stored is looked at, which costs. */
const strays: Job = { name: "strays", every: 24 * 60 * MINUTE, run: (house) => sweepStore(house) };

type Gather = (signal: AbortSignal) => Promise<void>;

/** One for each service of this process: it remembers whom it asked when. */
const gatherFor = onceFor((house: House): Gather => {
  const [poller, count] = [new Poller(house), countVisits(house)];
  return (signal) => poller.run(signal, count);
});

/** What isn't due is looked for as often as this, so an admin who wants a source visited waits no longer. */
const sources: Job = {
  name: "sources",
  every: MINUTE / 6,
  run: (house, signal) => gatherFor(house)(signal),
};

/** What failed, and what a process that died has left unsent: else it is sent at once, by whoever wrote it. */
const webhooks: Job = {
  name: "webhooks",
  every: MINUTE / 6,
  run: (house, signal) => senderOf(house).run(signal),
};

/** All that the service does without being asked. */
export const backgroundJobs: readonly Job[] = [
  sweep,
  posters,
  cards,
  ranks,
  scheduled,
  deletions,
  strays,
  sources,
  webhooks,
  removals,
  mails,
  exportsMade,
];
