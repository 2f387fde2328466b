import { PerformanceObserver } from "node:perf_hooks";
import { startTandem } from "@tandem/testing/tandem";
import Database from "better-sqlite3";

/*
 * A service that tells its parent, whenever asked, how many bytes it has allocated and how many statements it has run so far. Started
 * with a young generation that is never full and without optimization, whose timing would change what is allocated.
 */

/** Totals since the start. */
export interface Cost {
  bytes: number;
  statements: number;
}

export type ToService = "collect" | "count";
export type FromService = { baseUrl: string } | Cost | { collected: true };

/** Not counted: reads of one turn share a transaction, and how turns fall is chance. */
const isControl = /^(begin|commit|rollback|savepoint|release|pragma)\b/;

let statements = 0;
let collections = 0;

const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql);
  for (const method of ["run", "get", "all", "iterate"] as const) {
    const original = statement[method].bind(statement) as (...parameters: unknown[]) => never;
    statement[method] = (...parameters: unknown[]) => {
      if (!isControl.test(sql)) statements += 1;
      return original(...parameters);
    };
  }
  return statement;
} as typeof prepare;

const { exec } = Database.prototype;
Database.prototype.exec = function (sql) {
  if (!isControl.test(sql)) statements += 1;
  return exec.call(this, sql);
};

new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ["gc"] });

const tandem = await startTandem("sqlite", { env: { LOG_LEVEL: "warn" } });
process.on("message", async (message: ToService) => {
  await tandem.services.afterResponse.idle();
  if (message === "collect") {
    globalThis.gc?.();
    // Observers are told later.
    await new Promise((resolve) => setTimeout(resolve, 20));
    collections = 0;
    return answer({ collected: true });
  }
  if (collections > 0) throw new Error("A garbage collection hides what was allocated");
  const { heapUsed, external } = process.memoryUsage();
  answer({ bytes: heapUsed + external, statements });
});
process.once("disconnect", () => void tandem.stop());
answer({ baseUrl: tandem.baseUrl });

function answer(message: FromService): void {
  process.send?.(message);
}
