import { Counter, Gauge } from "prom-client";
import type { Services } from "../../http/services.ts";
import type { OnVisit } from "./poller.ts";

/** Metrics for operators: visits to sources, the posts they brought, and how late visits are. */
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
      const due = await nextDue(storage).catch(() => null);
      this.set(due === null ? 0 : Math.max(0, now() - due) / 1000);
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

/** When the next source is or was due, in milliseconds since 1970. */
async function nextDue({ read }: Services["storage"]): Promise<number | null> {
  const first = read.selectFrom("sources").select("due_at").where("due_at", "is not", null);
  return (await first.orderBy("due_at").limit(1).executeTakeFirst())?.due_at ?? null;
}
