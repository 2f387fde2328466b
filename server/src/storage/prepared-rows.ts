import type { CompiledQuery, RawBuilder } from "kysely";
import type { ColumnTypes } from "./engine.ts";
import { prepared } from "./prepared.ts";
import type { Db } from "./storage.ts";

/**
 * Like {@link prepared}, for a query that works on a list of rows, such as an insert. Most lists have one row, whose values are
 * then bound as they are: reading rows from JSON takes as long as many a statement. `values` and rows have no name in common.
 */
export function preparedRows<Item extends object, Values extends object, Row>(
  columns: ColumnTypes<keyof Item & string>,
  build: (db: Db, rows: RawBuilder<unknown>, values: Values) => CompiledQuery<Row>,
): (db: Db, items: readonly Item[], values: Values) => Promise<Row[]> {
  const one = prepared<Values & Item, Row>((db, all) => build(db, db.engine.oneRow(all, columns), all));
  const many = prepared<Values & { itemsAsJson: string }, Row>((db, all) =>
    build(db, db.engine.jsonRows(all.itemsAsJson, columns), all),
  );
  return (db, items, values) => {
    const [item] = items;
    return item && items.length === 1
      ? one(db, { ...values, ...item })
      : many(db, { ...values, itemsAsJson: JSON.stringify(items) });
  };
}
