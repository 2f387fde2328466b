import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  parent: number;
  /** CPU ticks, including those of child processes that have ended. */
  ticks: number;
}

/** CPU seconds that a process and its descendants have used so far (Linux only). */
export function cpuSeconds(root: number): number {
  const processes = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => read(Number(pid))),
  );
  const isBelow = (pid: number): boolean =>
    pid === root || (processes.has(pid) && isBelow(processes.get(pid)?.parent ?? 0));
  const used = [...processes].filter(([pid]) => isBelow(pid)).map(([, { ticks }]) => ticks);
  return used.reduce((sum, ticks) => sum + ticks, 0) / ticksASecond;
}

const ticksASecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

function read(pid: number): [number, Process][] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const [user, system, ended, endedSystem] = fields.slice(11, 15).map(Number);
    const ticks = (user ?? 0) + (system ?? 0) + (ended ?? 0) + (endedSystem ?? 0);
    return [[pid, { parent: Number(fields[1]), ticks }]];
  } catch {
    // It ended meanwhile.
    return [];
  }
}

/** Those of child processes that have ended. */
function endedTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return Number(fields[13]) + Number(fields[14]);
}

/** The same to the nanosecond, except child processes that have ended, whose ticks are usually 10 ms; without threads that have. */
export function exactCpuSeconds(root: number): number {
  try {
    const tasks = readdirSync(`/proc/${root}/task`).map((task) => `/proc/${root}/task/${task}`);
    const own = tasks.map((task) => Number(readFileSync(`${task}/schedstat`, "utf8").split(" ")[0]) / 1e9);
    const below = tasks.flatMap((task) =>
      readFileSync(`${task}/children`, "utf8").split(" ").filter(Boolean),
    );
    const all = [...own, ...below.map((pid) => exactCpuSeconds(Number(pid)))];
    return all.reduce((sum, one) => sum + one, endedTicks(root) / ticksASecond);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
