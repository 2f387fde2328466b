import type { CompiledQuery } from "kysely";
import type { Db } from "./storage.ts";

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is compiled once per engine and then run with values. `build` receives a placeholder object: each
 * property stands for the value of that name.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, values: Values) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const compiled = new Map<string, CompiledQuery<Row>>();
  // The cast is safe because each slot is replaced by a value of the right type when the query runs.
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  return (db, values) => {
    let query = compiled.get(db.engine.name);
    if (!query) {
      query = build(db, slots);
      compiled.set(db.engine.name, query);
    }
    const parameters = query.parameters.map((p) => (p instanceof Slot ? values[p.name as keyof Values] : p));
    return db.rows({ ...query, parameters });
  };
}
