import type { CompiledQuery } from "kysely";
import type { Db } from "./storage.ts";

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query built and compiled once for each engine, then run with values. `build` receives an object whose
 * every property stands for the value of that name.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, values: Values) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const compiled = new Map<string, CompiledQuery<Row>>();
  // A slot is no value of its type: it holds the place of one until the query runs.
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  return async (db, values) => {
    const query = compiled.get(db.engine.name) ?? build(db, slots);
    compiled.set(db.engine.name, query);
    const parameters = query.parameters.map((p) => (p instanceof Slot ? values[p.name as keyof Values] : p));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
