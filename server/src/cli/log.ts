import { verifierKey } from "@tandem/contract/log/note";
import { readConfig } from "../config.ts";
import { type LogServices, latestCheckpoint } from "../features/transparency-log/head.ts";
import { activeKey, publicBytes } from "../features/transparency-log/keys.ts";
import { LogForked, UnreadableHead } from "../features/transparency-log/remembered-head.ts";
import { restartLog, rotateKey } from "../features/transparency-log/rotate.ts";
import type { Storage } from "../storage/storage.ts";
import type { Command } from "./command.ts";
import { recordAction } from "./record-action.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const log: Command = {
  usage: "log show | rotate-key | restart",
  description: [
    "Show the transparency log's name, size, root hash and public key; replace its key; or, after the database was restored",
    "from a backup, continue under a new name. All public keys stay in /.well-known/jwks.json.",
  ].join("\n"),
  async run([action, ...more], open, { out }, env) {
    const isKnown = action === "show" || action === "rotate-key" || action === "restart";
    if (!isKnown || more.length > 0) throw new UsageError("Expected show, rotate-key or restart.");
    const storage = await open();
    if (!(await latestCheckpoint(storage.read)))
      throw new Refusal("The log hasn't begun: start the service first, which names it after its address.");
    const config = readConfig(env);
    const services = { storage, config, now: Date.now, baseUrl: config.baseUrl ?? "" };
    const changing = { show: async () => {}, "rotate-key": rotateKey, restart: restartLog }[action];
    await changing(services).catch((error) => {
      throw error instanceof LogForked || error instanceof UnreadableHead
        ? new Refusal(error.message)
        : error;
    });
    if (action !== "show") await record(services, action);
    for (const line of await describe(storage)) out(line);
  },
};

async function record({ storage }: LogServices, action: string): Promise<void> {
  const head = await latestCheckpoint(storage.read);
  await storage.write((tx) => recordAction(tx, action, `log:${head?.origin}`, {}));
}

async function describe({ read }: Storage): Promise<string[]> {
  const [head, key] = [await latestCheckpoint(read), await activeKey(read)];
  if (!head || !key)
    throw new Refusal("The log has no signing key: the database is damaged. Restore a backup.");
  return [
    `Name: ${head.origin}`,
    `Entries: ${head.size}`,
    `Root hash: ${head.rootHash}`,
    `Signed: ${head.time}`,
    `Key: ${await verifierKey({ name: head.origin, publicKey: publicBytes(key) })}`,
  ];
}
