import { type RawBuilder, sql } from "kysely";
import type { Schema } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";

/** Something that must always hold, for every row of a table. */
export interface Rule {
  /** What holds, such as "a post's likes are counted". */
  what: string;
  table: keyof Schema;
  /** An integer column that identifies rows or groups of them. */
  key: string;
  /** Those of these rows that break it. One statement, so that it sees one state, whatever others write. */
  find(db: Db, keys: Keys): Promise<Finding[]>;
  /** Derives again what is wrong in these rows. Without it, a person has to decide. */
  repair?(tx: Db, keys: readonly number[]): Promise<void>;
}

/** Receives a problem, and whether it was repaired. */
/** `count` is how many problems it is, by default one. */
export type Report = (problem: string, isRepaired: boolean, count?: number) => void;

/** Which rows: those with a key in a range, or these. */
export type Keys = { after: number; upto: number } | readonly number[];

export interface Finding {
  key: number;
  /** What is wrong, such as "like_count is 3 instead of 2". */
  detail: string;
}

/** A condition: the column is one of the keys. */
export function isIn(db: Db, column: RawBuilder<unknown>, keys: Keys): RawBuilder<boolean> {
  if ("upto" in keys) return sql<boolean>`(${column} > ${keys.after} and ${column} <= ${keys.upto})`;
  return sql<boolean>`${column} in (${db.engine.oneOf(keys)})`;
}

/**
 * A condition on a post: whether it is removed can be told. Otherwise nothing that depends on it is compared: which of both is
 * right, a person has to decide, and a removed post must not appear again.
 */
export function isDecided(post: string): RawBuilder<boolean> {
  const [id, removed] = [sql.ref(`${post}.id`), sql.ref(`${post}.removed`)];
  return sql<boolean>`(${removed} = (select count(*) from removed_posts decided where decided.post_id = ${id}))`;
}

interface Derived {
  what: string;
  table: keyof Schema;
  column: string;
  /** The right value, in SQL, for the row `t`. */
  expected: RawBuilder<unknown>;
  /** A condition on `t`: where it must have that value. */
  where?: RawBuilder<unknown>;
  /** A condition on `found` and `expected`. Default: they differ. */
  wrong?: RawBuilder<unknown>;
  /** The column that identifies rows. Default: `id`. */
  key?: string;
}

/** A rule about a column that can be derived from other rows. */
export function derived({ what, table, column, expected, where, wrong, key = "id" }: Derived): Rule {
  const [name, keyName, columnName] = [sql.table(table), sql.ref(`t.${key}`), sql.ref(`t.${column}`)];
  const applies = where ?? sql`1 = 1`;
  const differs = wrong ?? sql`(found <> expected or found is null or expected is null)`;
  return {
    what,
    table,
    key,
    async find(db, keys) {
      const { rows } = await sql<{ key: number; found: unknown; expected: unknown }>`
        select * from (
          select ${keyName} as key, ${columnName} as found, ${expected} as expected
          from ${name} as t where ${isIn(db, keyName, keys)} and ${applies}
        ) as compared where ${differs}`.execute(db);
      return rows.map((row) => ({
        key: Number(row.key),
        detail: `${column} is ${row.found} instead of ${row.expected}`,
      }));
    },
    async repair(tx, keys) {
      const here = isIn(tx, keyName, keys);
      // A write that changes the column has the row locked; after that, what is derived includes their change.
      if (tx.engine.rowLocks)
        await sql`select 1 from ${name} as t where ${here} order by ${keyName} for no key update`.execute(tx);
      await sql`update ${name} as t set ${sql.ref(column)} = ${expected} where ${here} and ${applies}`.execute(
        tx,
      );
    },
  };
}
