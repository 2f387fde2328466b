import { sql } from "kysely";
import { Counter, Gauge, type Registry } from "prom-client";
import { memoizePerInstance } from "../http/memoize-per-instance.ts";
import type { Services } from "../http/services.ts";
import { replaceSamples, shareReading } from "../http/share-reading.ts";
import type { Job } from "./job.ts";

/** How a run of a job ended: `aborted` if the service stopped or another process took over. */
export type JobOutcome = "done" | "failed" | "aborted";

const runsOf = memoizePerInstance(
  (metrics: Registry) =>
    new Counter({
      name: "tandem_job_runs_total",
      help: "Runs of periodic jobs, by name and outcome: done, failed or aborted.",
      // Not `job`: Prometheus gives each metric a label of that name.
      labelNames: ["name", "outcome"],
      registers: [metrics],
    }),
);

export function countJobRun({ metrics }: Services, name: string, outcome: JobOutcome): void {
  runsOf(metrics).inc({ name, outcome });
}

/** Reports which jobs no process runs although they are due. Together they are a few rows. */
export function watchJobs({ metrics, storage }: Services, jobs: readonly Job[]): void {
  const { now } = storage.read.engine;
  const names = jobs.map(({ name }) => name);
  const read = () =>
    storage.read
      .selectFrom("jobs")
      .select(["name", sql<number>`${now} - due_at`.as("late")])
      .select(
        sql<number>`case when holder is not null and lease_ends_at > ${now} then 1 else 0 end`.as("runs"),
      )
      // A job that hasn't run yet is due since 1970.
      .where("due_at", ">", 0)
      .where("name", "in", names)
      .execute();
  const shared = shareReading<Awaited<ReturnType<typeof read>>>(read, []);
  new Gauge({
    name: "tandem_job_late_seconds",
    help: "For how long a periodic job has been due without running, by name; 0 if it isn't.",
    labelNames: ["name"],
    aggregator: "max",
    registers: [metrics],
    async collect() {
      const seconds = (await shared()).map(({ name, late, runs }) => {
        return [{ name }, Number(runs) === 1 ? 0 : Math.max(0, Number(late) / 1000)] as const;
      });
      replaceSamples(this, seconds);
    },
  });
  runsOf(metrics);
}
