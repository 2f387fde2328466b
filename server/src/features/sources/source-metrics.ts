import { Counter, Gauge } from "prom-client";
import type { Services } from "../../http/services.ts";
import type { OnVisit } from "./poller.ts";

/** Counts visits and what they brought, for operators; and says how late the service is with them. */
export function countVisits({ metrics, storage, now }: Services): OnVisit {
  const visits = new Counter({
    name: "tandem_source_visits_total",
    help: "Visits to sources, by whether they succeeded or failed.",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  const posts = new Counter({
    name: "tandem_source_posts_total",
    help: "Gathered posts, by what became of them: new, changed or withdrawn.",
    labelNames: ["change"],
    registers: [metrics],
  });
  new Gauge({
    name: "tandem_source_late_seconds",
    help: "For how long the source that has waited longest has been due; 0 where none is.",
    aggregator: "max",
    registers: [metrics],
    async collect() {
      // Whether the database is well, others say.
      const due = await dueSince(storage).catch(() => null);
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

/** In milliseconds since 1970; in the future where none is due yet. */
async function dueSince({ read }: Services["storage"]): Promise<number | null> {
  const first = read.selectFrom("sources").select("due_at").where("due_at", "is not", null);
  return (await first.orderBy("due_at").limit(1).executeTakeFirst())?.due_at ?? null;
}
