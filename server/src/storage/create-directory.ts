import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { flushSync } from "./flush.ts";

/**
 * Creates a directory that only this user can read, with its parents, so that they survive a power loss. Node's own `recursive` never
 * ends where a parent exists but takes no directories, such as /proc.
 */
export function createDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) createDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  try {
    flushSync(parent);
  } catch (error) {
    // A parent that this user can't list can't be opened either.
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
  }
}
