import { execFileSync } from "node:child_process";

/** Lets a process run before those with a lower priority, if that is allowed here. */
export function favor(pid: number, priority: number): void {
  try {
    execFileSync("chrt", ["--all-tasks", "--rr", "--pid", String(priority), String(pid)], {
      stdio: "ignore",
    });
  } catch {
    // Then other load disturbs more.
  }
}
