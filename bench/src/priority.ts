import { setPriority } from "node:os";

/** Lets a process run before those with a higher number (-20 to 19), if that is allowed here. */
export function favor(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Then other load disturbs more.
  }
}
