import { writeFile } from "node:fs/promises";
import { choice, option, textOption } from "./options.ts";
import { drawChart } from "./table/chart.ts";
import { type Line, printHeading, printLine } from "./table/print.ts";
import { commonRows, searches } from "./table/rows.ts";
import {
  againstPgbench,
  likeGrowth,
  measureRow,
  open,
  SMALL,
  use,
  workersAgainstOne,
} from "./table/table.ts";

/*
 * Measures Tandem beside what the machine can do, and prints a table with the goal of each row: see docs/performance.md.
 *
 *   npm run bench [-- --quick --posts 1000000 --database postgres --workers 2 --chart FILE.svg --json FILE.json]
 */

const isQuick = process.argv.includes("--quick");
const large = option("posts", SMALL);
const workers = option("workers", 1);
const engine = choice("database", ["sqlite", "postgres"]);
const timing = {
  rounds: option("rounds", isQuick ? 3 : 5),
  seconds: option("seconds", isQuick ? 1 : 3),
};

const lines: Line[] = [];
const note = (line: Line) => {
  lines.push(line);
  printLine(line);
};

const setup = { engine, workers, timing } as const;
await using small = await open(setup, SMALL);
const setting = `${engine === "sqlite" ? "SQLite" : "PostgreSQL"}, ${workers === 1 ? "one process" : `${workers} processes`}`;
const rounds = `medians of ${timing.rounds} rounds of ${timing.seconds} s`;
printHeading(`${SMALL.toLocaleString("en")} posts, ${setting}; ${rounds}`);
for (const row of commonRows(small.people)) note(await measureRow(small, row));
if (engine === "postgres") note(await againstPgbench(small));
if (workers === 1) for (const line of await use(small)) note(line);
else note(await workersAgainstOne(small));

if (large > SMALL) {
  await using big = await open(setup, large);
  printHeading(`${large.toLocaleString("en")} posts`);
  for (const row of searches(big.people)) note(await measureRow(big, row));
  note(await likeGrowth(small, big));
  if (workers === 1) for (const line of await use(big)) note(line);
}

const [json, chart] = [textOption("json"), textOption("chart")];
if (json) await writeFile(json, `${JSON.stringify(lines, null, 2)}\n`);
if (chart) await writeFile(chart, drawChart(lines));
