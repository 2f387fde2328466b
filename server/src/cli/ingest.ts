import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import type { Outcome } from "../features/sources/poll.ts";
import { Poller } from "../features/sources/poller.ts";
import type { SourceRecord } from "../features/sources/sources.queries.ts";
import { endings } from "../serve.ts";
import type { Storage } from "../storage/storage.ts";
import type { Command, Terminal } from "./command.ts";
import { printable } from "./printable.ts";
import { UsageError } from "./refusal.ts";

export const ingest: Command = {
  usage: "ingest [--all]",
  description:
    "Import from the sources that are due, or with --all from all enabled sources, then exit. The service can keep running.",
  async run(args, open, terminal, env) {
    const all = args[0] === "--all";
    if (args.length > (all ? 1 : 0)) throw new UsageError("Expected no argument or --all.");
    const storage = await open();
    if (all) await makeDue(storage);
    const { services } = createApp({ config: readConfig(env), storage });
    const stop = new AbortController();
    for (const signal of endings) process.once(signal, () => stop.abort());
    await new Poller(services).run(stop.signal, (source, outcome) => tell(terminal, source, outcome));
  },
};

async function makeDue(storage: Storage): Promise<void> {
  await storage.write((tx) =>
    tx
      .updateTable("sources")
      .set({ due_at: Date.now() })
      .where("due_at", "is not", null)
      .where("holder", "is", null)
      .execute(),
  );
}

function tell({ out, error }: Terminal, { id, url }: SourceRecord, outcome: Outcome): void {
  if (outcome === null) return;
  const source = `${id}  ${printable(url ?? "")}`;
  if ("failed" in outcome) error(`${source}  ${printable(outcome.failed)}`);
  else {
    const { seen, fresh, changed, withdrawn } = outcome;
    out(`${source}  ${seen} seen: ${fresh} new, ${changed} changed, ${withdrawn} withdrawn`);
  }
}
