import { sql } from "kysely";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import type { ExternalAuthors } from "./external-authors.ts";
import type { Account } from "./plan.ts";
import { clicksOn } from "./products.ts";
import { addStrayClicks } from "./tallies.ts";
import { line } from "./text.ts";
import { HOUR } from "./time.ts";
import type { World } from "./world.ts";

const FOLLOWS = 10;
const MOST_FOLLOWS = 400;
/** Most accounts follow someone here, some an external author. */
const FOLLOWS_HERE = 0.65;
const MOST_LIVES = 25;
const NO_POST = 0;

/** Accounts whose follows share a transaction. */
export const FOLLOWERS = 2000;

/** Follows, once all authors are known. */
export async function writeFollows(
  tx: Db,
  world: World,
  elsewhere: ExternalAuthors,
  first: number,
): Promise<void> {
  const random = world.random("follows", first);
  const abroad = elsewhere.creatorIds();
  const rows = world.accounts.slice(first, first + FOLLOWERS).flatMap((account) => {
    const followed = new Set<number>();
    for (let tries = 1 + random.longTail(FOLLOWS, MOST_FOLLOWS); tries > 0; tries -= 1) {
      const here = abroad.length === 0 || random.chance(FOLLOWS_HERE);
      followed.add(here ? random.favourite(world.accounts, 2.2).creatorId : random.favourite(abroad));
    }
    followed.delete(account.creatorId);
    return [...followed].sort((a, b) => a - b).map((creator_id) => ({ user_id: account.id, creator_id }));
  });
  await insertRows(tx, "follows", rows);
  const followed = tx.engine.jsonRows(JSON.stringify(rows), { creator_id: "integer" });
  await sql`
    update creators set follower_count = follower_count + added.followers
    from (select creator_id, count(*) as followers from (${followed}) as followed group by creator_id) as added
    where creators.id = added.creator_id`.execute(tx);
}

/** Live streams at the end, and clicks from outside posts. */
export async function writeEnding(tx: Db, world: World): Promise<void> {
  await addLives(tx, world);
  const random = world.random("clicks");
  const products = world.accounts.flatMap((account) => account.products);
  const clicks = products.flatMap((product) => clicksOn(random, product, world.span, 2));
  const rows = clicks.map(({ product, day, clicks: count }) => ({
    product_id: product.id,
    post_id: NO_POST,
    day,
    clicks: count,
  }));
  await insertRows(tx, "product_clicks", rows);
  await addStrayClicks(tx, clicks);
}

async function addLives(tx: Db, world: World): Promise<void> {
  const random = world.random("lives");
  const count = Math.min(MOST_LIVES, Math.ceil(world.people.length / 100));
  const live = new Set<Account>();
  while (live.size < count) live.add(random.favourite(world.people));
  const rows = [...live].map(({ id, topic }) => ({
    user_id: id,
    title: line(random, "live", topic),
    started_at: Math.floor(world.span.at - Math.min(random.wait(HOUR), 6 * HOUR)),
  }));
  await insertRows(tx, "lives", rows);
}
