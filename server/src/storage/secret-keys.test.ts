import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeAt } from "@tandem/testing/account-inputs";
import { stoppedClock } from "@tandem/testing/clock";
import { createDatabase } from "@tandem/testing/postgres";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { keysInUse } from "./secret-keys.ts";
import { secretColumns } from "./secrets.ts";

const newKey = () => randomBytes(32).toString("base64");
const password = "correct horse";

describe.each(engines)("secrets stored on %s", (engine) => {
  test("are encrypted once there is a key, and again when it changes", async () => {
    await using directory = await temporaryDirectory();
    await using database = engine === "postgres" ? await createDatabase() : null;
    const clock = stoppedClock();
    const start = (SECRETS_KEY: string) =>
      startTandem(engine, {
        dataDir: directory.path,
        now: clock.now,
        env: { SECRETS_KEY, ...(database && { DATABASE_URL: database.url }) },
      });
    const file = join(directory.path, "secrets.key");
    const fill = async (tandem: Tandem) => {
      const ada = await tandem.as.human();
      await ada.listPushSubscriptions();
      await ada.createWebhook({ url: "https://hooks.example.org/" });
      const secret = String((await ada.beginTwoFactor({ password })).secret);
      await ada.confirmTwoFactor({ code: codeAt(secret, clock.now()) });
      // More rows than are encrypted in one transaction. A retired key has no private half.
      const rows = Array.from({ length: 450 }, (_, i) => ({
        kid: `old ${i}`,
        public_key: "",
        private_key: i === 250 ? null : `plain ${i}`,
        created_at: i,
        retired_at: i,
      }));
      await tandem.storage.write((tx) => tx.insertInto("log_keys").values(rows).execute());
      return { username: ada.user.username, secret };
    };
    const expectLogin = async (tandem: Tandem, { username, secret }: Awaited<ReturnType<typeof fill>>) => {
      clock.pass(60_000);
      const code = codeAt(secret, clock.now());
      await tandem.as.anonymous().logIn({ username, password, code });
    };

    let ada: Awaited<ReturnType<typeof fill>>;
    {
      await using tandem = await start("");
      ada = await fill(tandem);
      if (engine === "sqlite") expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const [first, second] = [newKey(), newKey()];
    for (const keys of [first, `${second},${first}`, second]) {
      await using tandem = await start(keys);
      const stored = await storedSecrets(tandem);
      expect(await keysInUse(tandem.storage.read)).toEqual([tandem.storage.read.secrets.currentId]);
      expect(stored.filter((one) => !one.startsWith("enc1."))).toEqual([]);
      expect(stored).toHaveLength(452);
      expect(new Set(stored).size).toBe(452);
      // Written by another server that has no key yet.
      await tandem.storage.write((tx) =>
        tx.updateTable("log_keys").set({ private_key: "plain again" }).where("kid", "=", "old 7").execute(),
      );
      await expectLogin(tandem, ada);
    }
    const lost =
      /^This database's secrets are encrypted with a key that is missing \(\w+\)\. .*secrets\.key\.$/;
    for (const keys of [first, newKey(), ""]) await expect(start(keys)).rejects.toThrow(lost);
    // A new key in its place would hide that it is missing.
    await rm(file, { force: true });
    await expect(start("")).rejects.toThrow(lost);
    expect(existsSync(file)).toBe(false);
    // The same key in the file.
    await writeFile(file, second);
    await using tandem = await start("");
    await expectLogin(tandem, ada);
  });
});

async function storedSecrets({ storage: { read } }: Tandem): Promise<string[]> {
  const stored: string[] = [];
  for (const [table, { columns }] of Object.entries(secretColumns))
    for (const column of columns) {
      const query = sql<{ value: string }>`select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.ref(column)} is not null`;
      stored.push(...(await query.execute(read)).rows.map(({ value }) => value));
    }
  return stored;
}
