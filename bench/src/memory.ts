import { readdirSync, readFileSync } from "node:fs";

/** Peak resident memory in bytes: of a process, and of its direct children together. */
export interface PeakMemory {
  service: number;
  /** What of it isn't a mapped file, whose pages the system takes back when it needs them: SQLite maps its database. */
  anonymous: number;
  children: number;
}

/** Samples a process's resident memory every 20 ms until `stop` (Linux only). */
export function watchMemory(pid: number): { stop(): PeakMemory } {
  const most: PeakMemory = { service: 0, anonymous: 0, children: 0 };
  const look = () => {
    most.service = Math.max(most.service, resident(pid));
    most.anonymous = Math.max(most.anonymous, resident(pid, "RssAnon"));
    const children = childrenOf(pid).reduce((sum, child) => sum + resident(child), 0);
    most.children = Math.max(most.children, children);
  };
  const timer = setInterval(look, 20);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function resident(pid: number, field: "VmRSS" | "RssAnon" = "VmRSS"): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter(
      (name) =>
        /^\d+$/.test(name) &&
        read(`/proc/${name}/stat`)
          .replace(/^.*\) . /, "")
          .startsWith(`${pid} `),
    )
    .map(Number);
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
