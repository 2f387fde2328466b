/** `npm run bench:sqlite`: compares better-sqlite3 with Node's own driver on the same work (decision 85). */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import BetterSqlite3 from "better-sqlite3";
import { median } from "./median.ts";

const ROWS = 20_000;
const ROUNDS = 25;
/** About as long as a post is when it is stored. */
const POST = "x".repeat(600);

interface Statement {
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): unknown;
}

/** The interface that both drivers share. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

type Task = (database: Database) => () => void;

const tasks: Record<string, Task> = {
  "one row by id": (database) => {
    const read = database.prepare("select id, json, n from posts where id = ?");
    return () => times(5000, (i) => read.get(i + 1));
  },
  "two rows, joined": (database) => {
    const read = database.prepare(
      "select a.id, b.n from posts a join posts b on b.id = a.n + 1 where a.n = ? and a.id > ? limit 1",
    );
    return () => times(5000, (i) => read.get(i, i));
  },
  "50 rows of 600 bytes": (database) => {
    const read = database.prepare("select id, json, n from posts order by id desc limit 50");
    return () => times(300, () => read.all());
  },
  "50 rows joined to one blob": (database) => {
    const read = database.prepare(
      "select cast(group_concat(json) as blob) as page from (select json from posts order by id desc limit 50)",
    );
    return () => times(300, () => read.get());
  },
  "insert and update in a savepoint": (database) => {
    const insert = database.prepare("insert into posts (json, n) values (?, ?) returning id");
    const update = database.prepare("update posts set n = n + 1 where id = ?");
    return () => {
      database.exec("begin immediate");
      times(2000, (i) => {
        database.exec("savepoint one");
        insert.get(POST, i);
        update.run(i);
        database.exec("release one");
      });
      database.exec("commit");
    };
  },
};

const folder = await mkdtemp(join(tmpdir(), "tandem-drivers-"));
const drivers: Record<string, Database> = {
  better: filled(new BetterSqlite3(join(folder, "better.db"))),
  // The cast is needed because its types allow fewer bound values than it accepts.
  node: filled(new DatabaseSync(join(folder, "node.db")) as Database),
};
for (const [name, task] of Object.entries(tasks)) {
  const { better = 0, node = 0 } = compare(task);
  console.log(
    `${name}: better-sqlite3 ${better.toFixed(1)} ms, node:sqlite ${node.toFixed(1)} ms, ratio ${(node / better).toFixed(2)}`,
  );
}
for (const database of Object.values(drivers)) database.close();
await rm(folder, { recursive: true });

function filled(database: Database): Database {
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table posts (id integer primary key autoincrement, json text, n integer)");
  database.exec("create index posts_by_n on posts (n)");
  const insert = database.prepare("insert into posts (json, n) values (?, ?)");
  database.exec("begin");
  times(ROWS, (i) => insert.run(POST, i));
  database.exec("commit");
  return database;
}

/** Median CPU milliseconds of a round, for each driver. They take turns, so that noise affects both. */
function compare(task: Task): Record<string, number> {
  const rounds = Object.entries(drivers).map(([name, database]) => ({
    name,
    run: task(database),
    spent: [] as number[],
  }));
  times(ROUNDS, () => {
    for (const { run, spent } of rounds.reverse()) {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      spent.push((user + system) / 1000);
    }
  });
  return Object.fromEntries(rounds.map(({ name, spent }) => [name, median(spent)]));
}

function times(count: number, work: (i: number) => unknown): void {
  for (let i = 0; i < count; i++) work(i);
}
