import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";

/*
 * The baseline of durable writes: repeats the recorded statements of writes in turn, by better-sqlite3 alone, 16 writes per commit, with
 * the service's pragmas. For each line of standard input, a number of seconds, it prints how many writes it did in which time.
 *
 *   node replay.ts FILE.db RECORDED.json
 */

/** The statements of one write. */
export interface Recording {
  statements: { sql: string; parameters: unknown[]; reads: boolean }[];
  /** The id that it concerned. Wherever it is a parameter, a repetition uses the next of its own. */
  id: number;
}

export interface Recorded {
  /** By different accounts. */
  recordings: Recording[];
  /** The ids to use, over and over. Default: those after `last`, without end. */
  ids?: number[];
  last: number;
}

const PER_COMMIT = 16;

const [file = "", recordedFile = ""] = process.argv.slice(2);
const { recordings, ids, last } = JSON.parse(readFileSync(recordedFile, "utf8")) as Recorded;
const database = new Database(file);
for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "cache_size = -64000"])
  database.pragma(pragma);
database.pragma("mmap_size = 1073741824");
const statements = new Map<string, Database.Statement>();
const writes = recordings.map(({ id, statements }) => ({
  id,
  steps: statements.map(({ sql, parameters, reads }) => {
    const statement = preparedOnce(sql);
    const run = reads ? statement.all.bind(statement) : statement.run.bind(statement);
    return { run, parameters: parameters.map(bytesAgain) };
  }),
}));
const [begin, commit] = ["begin immediate", "commit"].map((sql) => database.prepare(sql));
let next = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const [from, began] = [next, performance.now()];
  const end = began + Number(line) * 1000;
  while (performance.now() < end) {
    begin?.run();
    for (let i = 0; i < PER_COMMIT; i++) repeatNext();
    commit?.run();
  }
  console.log(JSON.stringify({ count: next - from, seconds: (performance.now() - began) / 1000 }));
}

function repeatNext(): void {
  const write = writes[next % writes.length];
  const own = ids ? ids[next % ids.length] : last + next + 1;
  next += 1;
  for (const { run, parameters } of write?.steps ?? [])
    run(parameters.map((value) => (value === write?.id ? own : value)));
}

function preparedOnce(sql: string): Database.Statement {
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

/** JSON has no bytes. */
function bytesAgain(value: unknown): unknown {
  return typeof value === "object" && value !== null && "data" in value
    ? Buffer.from(value.data as number[])
    : value;
}
