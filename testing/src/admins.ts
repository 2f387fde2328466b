import type { Storage } from "@tandem/server/storage/storage";
import { plantSecrets } from "./account-inputs.ts";
import type { Person } from "./callers.ts";
import { uniqueName } from "./callers.ts";

/** Makes a person an admin, as the `admin` command would. */
export async function makeAdmin(storage: Storage, { user }: Person): Promise<void> {
  await storage.write((tx) =>
    tx.updateTable("users").set({ role: "admin" }).where("id", "=", user.id).execute(),
  );
}

/** Adds a sign-up that waits for approval, and returns its id. */
export async function plantSignUp(
  storage: Storage,
  { username = uniqueName("hopeful"), now = Date.now() } = {},
): Promise<number> {
  const email = `${username}@example.org`;
  const keys = { username_key: username, email_key: email };
  const { id } = await storage.write((tx) =>
    tx
      .insertInto("sign_up_requests")
      .values({ username, email, ...keys, email_verified: 0, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return id;
}

/** Makes a person an admin, with a source and with tokens that would have been mailed. Returns the source's id. */
export async function makeAdminWithSource(
  storage: Storage,
  person: Person,
  { name = uniqueName("feed"), now = Date.now() } = {},
): Promise<number> {
  await makeAdmin(storage, person);
  await plantSecrets(storage, person, now);
  const about = { platform: "rss", name: "Example Weekly", url: `https://example.org/${name}.xml` } as const;
  const row = { ...about, enabled: 1, interval_ms: 900_000, due_at: now + 900_000, created_at: now };
  const { id } = await storage.write((tx) =>
    tx.insertInto("sources").values(row).returning("id").executeTakeFirstOrThrow(),
  );
  return id;
}
