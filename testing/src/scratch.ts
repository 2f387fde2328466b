import { statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** Where systems offer memory as files. */
const MEMORY = "/dev/shm";
/** Bytes that must be free there; a run takes some hundred megabytes at a time. */
const ROOM = 2 ** 31;

/**
 * A new directory for what nobody misses after a power cut. It lies in memory where there is plenty: databases come and go
 * there by the hundred, and on a disk that alone would be much of a run. Nothing may be run from it.
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
