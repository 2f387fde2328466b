import { Counter, Gauge } from "prom-client";
import type { Services } from "../../http/services.ts";
import { dueKeys } from "../../jobs/queue.ts";
import type { Db } from "../../storage/storage.ts";
import type { OnVisit } from "./poller.ts";
import { sourceQueue } from "./sources.queries.ts";

/** Metrics for administrators: visits to sources, the posts they brought, and how late visits are. */
export function countVisits({ metrics, storage, now }: Services): OnVisit {
  const visits = new Counter({
    name: "tandem_source_visits_total",
    help: "Visits to sources, by whether they succeeded or failed.",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  const posts = new Counter({
    name: "tandem_source_posts_total",
    help: "Imported posts, by what happened to them: new, changed or withdrawn.",
    labelNames: ["change"],
    registers: [metrics],
  });
  new Gauge({
    name: "tandem_source_late_seconds",
    help: "Seconds for which the most overdue source has been due; 0 if none is.",
    aggregator: "max",
    registers: [metrics],
    async collect() {
      // Other metrics report database errors.
      const due = await dueSince(storage.read, now()).catch(() => null);
      this.set(due === null ? 0 : (now() - due) / 1000);
    },
  });
  return (_source, outcome) => {
    if (outcome === null) return;
    const failed = "failed" in outcome;
    visits.inc({ outcome: failed ? "failed" : "succeeded" });
    if (failed) return;
    posts.inc({ change: "new" }, outcome.fresh);
    posts.inc({ change: "changed" }, outcome.changed);
    posts.inc({ change: "withdrawn" }, outcome.withdrawn);
  };
}

/** Since when the longest waiting source is due, in milliseconds since 1970; null if none is, or all are being visited. */
async function dueSince(db: Db, now: number): Promise<number | null> {
  const { rows } = await dueKeys(db, sourceQueue, { now, limit: 1 }).execute(db);
  return rows[0]?.due_at ?? null;
}
