import type { KeyEntry } from "@tandem/contract/log/entry";
import type { Db } from "../../storage/storage.ts";
import { checkpointOf, headRow, type LogServices, lockLog, logKey, openLog, replaceHead } from "./head.ts";
import { integrate } from "./integrate.ts";
import { insertKey, newKey, retireKeys, type SigningKey } from "./keys.ts";
import { nextOrigin, readRemembered, rememberHead } from "./remembered-head.ts";

/**
 * Replaces the key that signs. The new key becomes an entry first, in a tree that the old key signs, so that anyone who
 * trusts the old one can trust the new one. Returns the new key.
 */
export async function rotateKey(services: LogServices): Promise<SigningKey> {
  const { storage, now } = services;
  const key = await newKey();
  const { head } = await openLog(services);
  await storage.write((tx) => logKey(tx, key, head.origin, now()));
  do await integrate(services);
  while (!(await useKey(services, key)));
  return key;
}

/**
 * Continues under a new name and key, after the database was restored from a backup: the old name's history has entries that
 * this database doesn't know. Returns the new name.
 */
export async function restartLog(services: LogServices): Promise<string> {
  const key = await newKey();
  const { dataDir } = services.config;
  // A backup may be older than an earlier restart, whose name is in use.
  const remembered = await readRemembered(dataDir);
  while (!(await useKey(services, key, (origin) => nextOrigin(origin, remembered))));
  const { head } = await openLog(services);
  await rememberHead(dataDir, head);
  await integrate(services);
  return head.origin;
}

/**
 * Signs the log's state with this key, which is used from now on; false if the state changed meanwhile, or doesn't contain
 * the key's entry yet. With a new name, the key becomes an entry of the tree that it signs.
 */
async function useKey(
  services: LogServices,
  key: SigningKey,
  rename?: (origin: string) => string,
): Promise<boolean> {
  const { head } = await openLog(services);
  const now = services.now();
  const origin = rename?.(head.origin) ?? head.origin;
  const checkpoint = { ...checkpointOf(head), origin };
  const signed = await headRow(key, checkpoint, now);
  return services.storage.write(async (tx) => {
    await lockLog(tx);
    if (await isPending(tx, key)) return false;
    if (!(await replaceHead(tx, head, signed))) return false;
    await retireKeys(tx, now);
    await insertKey(tx, key, now);
    if (rename) await logKey(tx, key, origin, now);
    return true;
  });
}

/** Whether the key's entry isn't in the tree yet: another process can have grown the tree without having seen it. */
async function isPending(tx: Db, { kid }: SigningKey): Promise<boolean> {
  const rows = await tx.selectFrom("log_pending").select("entry").where("kind", "=", "key").execute();
  return rows.some(({ entry }) => entry !== null && (JSON.parse(entry) as KeyEntry).key.kid === kid);
}
