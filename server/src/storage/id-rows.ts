import type { RawBuilder } from "kysely";
import type { Db } from "./storage.ts";

/** Ids as JSON text, for {@link idRows}. */
export const idsJson = (ids: Iterable<number>): string => JSON.stringify(Array.from(ids, (id) => ({ id })));

/** A query of the ids in such a text, which may be the placeholder of a prepared query. */
export const idRows = (db: Db, json: string): RawBuilder<unknown> =>
  db.engine.jsonRows(json, { id: "integer" });
