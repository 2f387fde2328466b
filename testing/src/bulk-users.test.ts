import { addAccount } from "@tandem/server/features/accounts/accounts.queries";
import { expect, test } from "vitest";
import { addBulkUsers } from "./bulk-users.ts";
import { type Dump, dump } from "./dump.ts";
import { engines, startTandem, type Tandem } from "./tandem.ts";

test.each(engines)("accounts in bulk have the same rows as others on %s", async (engine) => {
  await using one = await startTandem(engine);
  await using other = await startTandem(engine);
  const now = Date.UTC(2026, 0, 1);
  const [user] = await addBulkUsers(one.storage, 1, now);
  const username = String(user?.username);
  const account = { username, email: `${username}@example.org`, passwordHash: null, displayName: null };
  await other.storage.write((tx) =>
    addAccount(tx, { registration: "open" }, { ...account, role: "user", operatorId: null, now }),
  );
  const { sessions, ...rows } = await dumpOf(one);
  expect(sessions).toHaveLength(1);
  expect({ ...rows, sessions: [] }).toEqual(await dumpOf(other));
});

/** Counts are in one of several rows, at random. */
async function dumpOf({ storage }: Tandem): Promise<Dump> {
  const rows = await dump(storage);
  return { ...rows, day_counts: (rows.day_counts ?? []).map((row) => row.replace(/ shard=\d+/, "")) };
}
