import type { Storage } from "@tandem/server/storage/storage";
import type { Person } from "./callers.ts";
import { fresh } from "./callers.ts";

/** Makes a person an admin, as the operator would by the command line. */
export async function makeAdmin(storage: Storage, { user }: Person): Promise<void> {
  await storage.write((tx) =>
    tx.updateTable("users").set({ role: "admin" }).where("id", "=", user.id).execute(),
  );
}

/** Makes a person an admin, and a source for that person to look after; gives back its id. */
export async function makeKeeper(storage: Storage, person: Person): Promise<number> {
  await makeAdmin(storage, person);
  const url = `https://example.org/${fresh("feed")}.xml`;
  const row = { platform: "rss", name: "Example Weekly", url, enabled: 1, created_at: Date.now() } as const;
  const { id } = await storage.write((tx) =>
    tx.insertInto("sources").values(row).returning("id").executeTakeFirstOrThrow(),
  );
  return id;
}
