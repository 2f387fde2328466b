import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toBase64 } from "@tandem/contract/log/bytes";
import { TiledTree } from "@tandem/contract/log/tiles";
import { createDirectory } from "../../storage/create-directory.ts";
import type { Db } from "../../storage/storage.ts";
import { sha256 } from "./digests.ts";
import type { SignedHead } from "./head.ts";
import { tileReader } from "./stored-tiles.ts";

/*
 * A log must never sign two histories. A database that was restored from a backup would: it has forgotten entries that were
 * signed, and would put others in their places. So the last state that this machine signed is also in a file, which a
 * restored database doesn't replace.
 */

/** The database has forgotten entries that were signed. Nothing more is added until the operator begins a new log. */
export class LogForked extends Error {}

/** The file of the state that was signed last isn't what this service wrote. */
export class UnreadableHead extends Error {}

interface RememberedHead {
  origin: string;
  size: number;
  rootHash: string;
}

const pathIn = (dataDir: string) => join(dataDir, "log-head.json");

export async function rememberHead(dataDir: string, { origin, size, root_hash }: SignedHead): Promise<void> {
  const head: RememberedHead = { origin, size, rootHash: root_hash };
  const path = pathIn(dataDir);
  const written = `${path}.${randomUUID()}`;
  // With PostgreSQL, nothing else may have created it yet.
  createDirectory(dataDir);
  await writeFile(written, `${JSON.stringify(head)}\n`, { flush: true });
  await rename(written, path);
}

/** Throws `LogForked` unless the log continues the state that this machine signed last, or began after it. */
export async function assertNotForked(
  db: Db,
  remembered: RememberedHead | null,
  head: SignedHead,
): Promise<void> {
  if (!remembered || (await continues(db, remembered, head))) return;
  throw new LogForked(
    `The transparency log ${head.origin} has ${head.size} entries, but doesn't continue the ${remembered.size} of ${remembered.origin} that were signed: the database was restored from a backup. Nothing more is logged until you run \`tandem log restart\`, which begins a log with a new name.`,
  );
}

async function continues(db: Db, remembered: RememberedHead, head: SignedHead): Promise<boolean> {
  // A log that was restarted since has a higher number. One with a lower number comes from a backup.
  if (remembered.origin !== head.origin) return numberOf(head.origin) > numberOf(remembered.origin);
  return remembered.size <= head.size && (await rootAt(db, head, remembered.size)) === remembered.rootHash;
}

/** The name of a log that is new to everyone: `example.com/log/2` after `example.com/log`, and so on. */
export function nextOrigin(origin: string, remembered: RememberedHead | null): string {
  const [, name = origin] = NUMBERED.exec(origin) ?? [];
  const last = Math.max(numberOf(origin), remembered ? numberOf(remembered.origin) : 1);
  return `${name}/${last + 1}`;
}

const NUMBERED = /^(.*\/log)(?:\/(\d+))?$/;

function numberOf(origin: string): number {
  return Number(NUMBERED.exec(origin)?.[2] ?? 1);
}

async function rootAt(db: Db, head: SignedHead, size: number): Promise<string> {
  if (size === head.size) return head.root_hash;
  return toBase64(await new TiledTree(head.size, tileReader(db), sha256).root(size));
}

/** The state that this machine signed last; null if there is none. */
export async function readRemembered(dataDir: string): Promise<RememberedHead | null> {
  const text = await readFile(pathIn(dataDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const head = parsed(text);
  if (head) return head;
  throw new UnreadableHead(
    `${pathIn(dataDir)} is damaged: it must have the last state of the transparency log that this machine signed. Delete it: the next entry writes it again. If the database was restored from a backup since, also run \`tandem log restart\`.`,
  );
}

function parsed(text: string): RememberedHead | null {
  try {
    const { origin, size, rootHash } = JSON.parse(text);
    const isHead = typeof origin === "string" && Number.isSafeInteger(size) && typeof rootHash === "string";
    return isHead ? { origin, size, rootHash } : null;
  } catch {
    return null;
  }
}
