import { statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, on Linux. */
const MEMORY = "/dev/shm";
/** Bytes that must be free there; a run uses some hundred megabytes at a time. */
const ROOM = 2 ** 31;

/**
 * A new temporary directory, in memory if there is plenty: tests create hundreds of databases, which is slow on a disk. Programs can't
 * be executed from it.
 */
export function scratchDirectory(stem: string): Promise<string> {
  return mkdtemp(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), `${stem}-`));
}

function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= ROOM && freemem() >= 2 * ROOM;
  } catch {
    return false;
  }
}
