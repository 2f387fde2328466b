import type { Figures } from "./measure.ts";
import type { Goal } from "./rows.ts";

/** A line of the table. Figures that it lacks are null. */
export interface Line {
  name: string;
  ours: Figures | null;
  baseline: Figures | null;
  /** What is compared with the goal: a share of the baseline's, milliseconds or MiB. */
  value: { figure: number; unit: "ratio" | "ms" | "MiB" | "×" } | null;
  goal: { figure: number; least: boolean } | null;
}

const widths = [34, 11, 8, 8, 8, 10, 8, 5];

export function printHeading(title: string): void {
  console.log(`\n${title}\n`);
  printRow(["", "CPU ms", "/s", "limit ms", "limit /s", "value", "goal", "met"]);
  printRow(widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)));
}

export function printLine(line: Line): void {
  const { name, ours, baseline, value, goal } = line;
  const cpu = (figures: Figures | null) =>
    figures ? figures.cpu.toFixed(3) + (figures.database ? `+${figures.database.toFixed(3)}` : "") : "";
  const rate = (figures: Figures | null) => (figures ? figures.rate.toFixed(0) : "");
  const digits = value?.unit === "MiB" ? 0 : 2;
  const unit = value && value.unit !== "ratio" ? ` ${value.unit}` : "";
  printRow([
    ...[name, cpu(ours), rate(ours), cpu(baseline), rate(baseline)],
    value ? value.figure.toFixed(digits) + unit : "",
    goal ? `${goal.least ? "≥" : "≤"} ${goal.figure}` : "",
    isMet(line) === null ? "" : isMet(line) ? "yes" : "no",
  ]);
}

/** Null where there is no goal. */
export function isMet({ value, goal }: Line): boolean | null {
  if (!value || !goal) return null;
  return goal.least ? value.figure >= goal.figure : value.figure <= goal.figure;
}

/** Reads are compared by CPU time, which other load hardly changes; durable writes by rate, because they wait for the disk. */
export function lineOf(
  name: string,
  {
    ours,
    baseline,
    goal,
    by,
  }: { ours: Figures; baseline: Figures | null; goal: Goal | null; by: "cpu" | "rate" },
): Line {
  const isTime = goal !== null && "milliseconds" in goal;
  const ratio = baseline && (by === "cpu" ? baseline.cpu / ours.cpu : ours.rate / baseline.rate);
  return {
    name,
    ours,
    baseline,
    value: isTime
      ? { figure: ours.cpu, unit: "ms" }
      : ratio === null
        ? null
        : { figure: ratio, unit: "ratio" },
    goal:
      goal &&
      ("ratio" in goal ? { figure: goal.ratio, least: true } : { figure: goal.milliseconds, least: false }),
  };
}

function printRow(cells: string[]): void {
  const padded = cells.map((cell, i) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
  );
  console.log(`| ${padded.join(" | ")} |`);
}
