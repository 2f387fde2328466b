import { drawPosters } from "./features/posts/posters.ts";
import { sweep } from "./housekeeping.ts";
import type { Job } from "./jobs/job.ts";
import { collect, sweepStore } from "./media/collect.ts";

const MINUTE = 60_000;

/** What a process that died has left undone: as a rule it is done at once, by whoever gave cause. */
const posters: Job = { name: "posters", every: MINUTE, run: (house) => drawPosters(house) };
const deletions: Job = { name: "deletions", every: MINUTE, run: collect };

/** All that is stored is looked at, which costs. */
const strays: Job = { name: "strays", every: 24 * 60 * MINUTE, run: (house) => sweepStore(house) };

/** All that the service does without being asked. */
export const backgroundJobs: readonly Job[] = [sweep, posters, deletions, strays];
