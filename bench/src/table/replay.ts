import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";

/*
 * The baseline of durable writes: repeats the recorded statements of one write by better-sqlite3 alone, 16 writes per commit, with the
 * service's pragmas. For each line of standard input, a number of seconds, it prints how many writes it did in which time.
 *
 *   node replay.ts FILE.db STATEMENTS.json
 */

export interface Recorded {
  statements: { sql: string; parameters: unknown[]; reads: boolean }[];
  /** The id that the recorded write concerned. Wherever it is a parameter, the repetition uses the next of its own. */
  id: number;
  /** The ids to use. Default: those after `last`, without end. */
  ids?: number[];
  last: number;
  /** Undoes all repetitions between two rounds, so that the same ids can be used again. */
  undo?: string;
}

const PER_COMMIT = 16;

const [file = "", statementsFile = ""] = process.argv.slice(2);
const { statements, id, ids, last, undo } = JSON.parse(readFileSync(statementsFile, "utf8")) as Recorded;
const database = new Database(file);
for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "cache_size = -64000"])
  database.pragma(pragma);
database.pragma("mmap_size = 1073741824");
const prepared = statements.map(({ sql, parameters, reads }) => {
  const statement = database.prepare(sql);
  const run = reads ? statement.all.bind(statement) : statement.run.bind(statement);
  return { run, parameters: parameters.map(bytesAgain) };
});
const [begin, commit] = ["begin immediate", "commit"].map((sql) => database.prepare(sql));
let next = 0;

for await (const line of createInterface({ input: process.stdin })) {
  if (undo) {
    database.exec(undo);
    next = 0;
  }
  const [from, began] = [next, performance.now()];
  const end = began + Number(line) * 1000;
  while (performance.now() < end && (!ids || next + PER_COMMIT <= ids.length)) {
    begin?.run();
    for (let i = 0; i < PER_COMMIT; i++) repeat(nextId());
    commit?.run();
  }
  console.log(JSON.stringify({ count: next - from, seconds: (performance.now() - began) / 1000 }));
}

function nextId(): number {
  next += 1;
  return ids?.[next - 1] ?? last + next;
}

function repeat(own: number): void {
  for (const { run, parameters } of prepared) run(parameters.map((value) => (value === id ? own : value)));
}

/** JSON has no bytes. */
function bytesAgain(value: unknown): unknown {
  return typeof value === "object" && value !== null && "data" in value
    ? Buffer.from(value.data as number[])
    : value;
}
