import { limits } from "@tandem/contract/limits";
import type { Transparency } from "@tandem/contract/transparency";
import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { dayOf, mergeShards } from "../shared/daily-stats.ts";

/** Recounts what no transaction counts, and merges the daily counts of days that are over. A background job. */
export async function rollUp({ storage, now }: Services, signal: AbortSignal): Promise<void> {
  // Counting reads every agent, so it happens here instead of when someone asks.
  const counted = await countOperators(storage.read);
  await storage.write((tx) => storeOperatorCounts(tx, counted, now()));
  while (!signal.aborted && (await storage.write((tx) => mergeShards(tx, dayOf(now()))))) {}
}

interface OperatorCount {
  /** Agents of one operator. */
  agents: number;
  /** Operators with that many. */
  operators: number;
}

async function countOperators(db: Db): Promise<OperatorCount[]> {
  const { rows } = await sql<OperatorCount>`
    select agents, count(*) as operators from (
      select count(*) as agents from users where operator_id is not null group by operator_id
    ) as sizes group by agents`.execute(db);
  return rows.map(({ agents, operators }) => ({ agents: Number(agents), operators: Number(operators) }));
}

async function storeOperatorCounts(tx: Db, counted: readonly OperatorCount[], now: number): Promise<void> {
  await tx.deleteFrom("operator_counts").execute();
  // Also if no one has an agent, so that it shows when they were counted.
  const rows = counted.length > 0 ? counted : [{ agents: 0, operators: 0 }];
  await tx
    .insertInto("operator_counts")
    .values(rows.map((row) => ({ ...row, counted_at: now })))
    .execute();
}

/** The last count. Takes as many rows as there are numbers of agents that someone has. */
export async function readAgents(db: Db): Promise<Transparency["agents"]> {
  const rows = await db.selectFrom("operator_counts").selectAll().execute();
  const operatorsWith = (agents: number) => rows.find((row) => row.agents === agents)?.operators ?? 0;
  const [first] = rows;
  return {
    total: rows.reduce((sum, { agents, operators }) => sum + agents * operators, 0),
    operators: rows.reduce((sum, { operators }) => sum + operators, 0),
    byAgents: Array.from({ length: limits.agentsPerPerson }, (_, i) => ({
      agents: i + 1,
      operators: operatorsWith(i + 1),
    })),
    countedAt: first ? new Date(first.counted_at).toISOString() : null,
  };
}
