import { type Migration, Migrator } from "kysely/migration";
import { start } from "./migrations/0001-start.ts";
import { jobs } from "./migrations/0002-jobs.ts";
import { positions } from "./migrations/0003-positions.ts";
import { media } from "./migrations/0004-media.ts";
import { keyHints } from "./migrations/0005-key-hints.ts";
import { gathering } from "./migrations/0006-gathering.ts";
import { postLinks } from "./migrations/0007-post-links.ts";
import { movesAndLinks } from "./migrations/0008-moves-and-links.ts";
import { betweenPeople } from "./migrations/0009-between-people.ts";
import { accounts } from "./migrations/0010-accounts.ts";
import { moderation } from "./migrations/0011-moderation.ts";
import { notices } from "./migrations/0012-notices.ts";
import { operatorsConsole } from "./migrations/0013-console.ts";
import { aiLikes } from "./migrations/0014-ai-likes.ts";
import { streamKeys } from "./migrations/0015-stream-keys.ts";
import { secondLooks } from "./migrations/0016-second-looks.ts";
import { unreadMessages } from "./migrations/0017-unread-messages.ts";
import { productCategories } from "./migrations/0018-product-categories.ts";
import { browsers } from "./migrations/0019-browsers.ts";
import { oneLease } from "./migrations/0020-one-lease.ts";
import { provenanceBasis } from "./migrations/0021-provenance-basis.ts";
import type { Db } from "./storage.ts";

/** In order, each named by number and purpose. Never change a released migration; add a new one instead. */
const steps: Record<string, (db: Db) => Promise<void>> = {
  "0001-start": start,
  "0002-jobs": jobs,
  "0003-positions": positions,
  "0004-media": media,
  "0005-key-hints": keyHints,
  "0006-gathering": gathering,
  "0007-post-links": postLinks,
  "0008-moves-and-links": movesAndLinks,
  "0009-between-people": betweenPeople,
  "0010-accounts": accounts,
  "0011-moderation": moderation,
  "0012-notices": notices,
  "0013-console": operatorsConsole,
  "0014-ai-likes": aiLikes,
  "0015-stream-keys": streamKeys,
  "0016-second-looks": secondLooks,
  "0017-unread-messages": unreadMessages,
  "0018-product-categories": productCategories,
  "0019-browsers": browsers,
  "0020-one-lease": oneLease,
  "0021-provenance-basis": provenanceBasis,
};

/** Checks a database before anything in it changes, and throws if it must not be opened. */
export type Guard = (db: Db) => Promise<void>;

/** Migrates an empty or older database to the latest schema. Throws if a step fails; that step is rolled back. */
export async function migrate(db: Db, guard?: Guard): Promise<void> {
  await guard?.(db);
  const { engine } = db;
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    { up: (tx) => step(Object.assign(tx, { engine, channels: new Set<string>(), counters: new Map() })) },
  ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
