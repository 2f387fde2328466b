import { sweep } from "./housekeeping.ts";
import type { Job } from "./jobs/job.ts";

/** All that the service does without being asked. */
export const backgroundJobs: readonly Job[] = [sweep];
