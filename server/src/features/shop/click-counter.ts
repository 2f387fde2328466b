import { SECOND } from "@tandem/contract/durations";
import { type RawBuilder, sql } from "kysely";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";

/** A click on a product, on a UTC day, from a post that shows it or from the shop. */
export interface Click {
  productId: number;
  ownerId: number;
  postId: number | null;
  day: number;
}

/** In `product_clicks`, stands for a click in the shop. */
const NO_POST = 0;
/** Milliseconds from a click until it is stored. */
const DELAY = SECOND;
/** Rows per transaction, which limits how long others wait for it. */
const BATCH = 500;
/** The most rows that wait. Further clicks aren't counted: the database has been unavailable for long. */
const MAX_WAITING = 20_000;

interface Row {
  product: number;
  owner: number;
  post: number;
  day: number;
  clicks: number;
}

/**
 * Counts clicks in memory and stores them together. Anyone can click, as often as they like, so a click must not cost a
 * transaction. A process that is killed loses the clicks of the last second; one that stops stores them.
 */
export class ClickCounter {
  readonly #services: Services;
  #waiting = new Map<string, Row>();
  #timer: NodeJS.Timeout | null = null;
  #storing: Promise<void> = Promise.resolve();

  constructor(services: Services) {
    this.#services = services;
  }

  count({ productId: product, ownerId: owner, postId, day }: Click): void {
    this.#add({ product, owner, post: postId ?? NO_POST, day, clicks: 1 });
    this.#timer ??= setTimeout(() => void this.store(), DELAY).unref();
  }

  /** Stores what was counted so far. Never rejects: what can't be stored is kept for the next time. */
  store(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#storing = this.#storing.then(() => this.#storeAll());
    return this.#storing;
  }

  #add(row: Row): void {
    const key = `${row.product} ${row.post} ${row.day}`;
    const before = this.#waiting.get(key);
    if (before) before.clicks += row.clicks;
    else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, row);
  }

  async #storeAll(): Promise<void> {
    const rows = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      try {
        await this.#services.storage.write((tx) => addClicks(tx, batch));
      } catch (err) {
        this.#services.log.error({ err }, "storing product clicks failed");
        for (const row of rows.slice(at)) this.#add(row);
        this.#timer ??= setTimeout(() => void this.store(), DELAY).unref();
        return;
      }
    }
  }
}

export const clickCounterOf = memoizePerInstance((services: Services) => new ClickCounter(services));

/**
 * Adds to the products' days, the posts and the owners. What was deleted meanwhile is left out. Products come first, as
 * when one is deleted, to avoid deadlocks.
 */
async function addClicks(tx: Db, rows: readonly Row[]): Promise<void> {
  const columns = { product: "integer", post: "integer", day: "integer", clicks: "integer" } as const;
  const listed = tx.engine.jsonRows(JSON.stringify(rows), columns);
  await sql`
    insert into product_clicks as c (product_id, post_id, day, clicks)
    select product, post, day, clicks from (${listed}) as clicked
      where exists (select 1 from products where products.id = clicked.product)
      order by product, day, post
    on conflict (product_id, day, post_id) do update set clicks = c.clicks + excluded.clicks
  `.execute(tx);
  const posts = sums(rows, ({ post }) => post);
  posts.delete(NO_POST);
  await lock(tx, sql`select id from posts where id in (${tx.engine.oneOf([...posts.keys()])}) order by id`);
  await sql`
    update posts set click_count = click_count + added.clicks from (${listOf(tx, posts)}) as added
    where posts.id = added.of
  `.execute(tx);
  const owners = sums(rows, ({ owner }) => owner);
  await lock(
    tx,
    sql`select id from creators where user_id in (${tx.engine.oneOf([...owners.keys()])}) order by id`,
  );
  await sql`
    update creators set click_count = click_count + added.clicks from (${listOf(tx, owners)}) as added
    where creators.user_id = added.of
  `.execute(tx);
}

/** Clicks by id. */
type Sums = Map<number, number>;

function sums(rows: readonly Row[], by: (row: Row) => number): Sums {
  const totals: Sums = new Map();
  for (const row of rows) totals.set(by(row), (totals.get(by(row)) ?? 0) + row.clicks);
  return totals;
}

function listOf(tx: Db, totals: Sums): RawBuilder<unknown> {
  const json = JSON.stringify([...totals].map(([of, clicks]) => ({ of, clicks })));
  return tx.engine.jsonRows(json, { of: "integer", clicks: "integer" });
}

async function lock(tx: Db, rows: RawBuilder<unknown>): Promise<void> {
  if (tx.engine.rowLocks) await sql`${rows} for no key update`.execute(tx);
}
