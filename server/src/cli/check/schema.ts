import type { SchemaObject } from "../../storage/catalog.ts";
import { objectsOfLatestSchema } from "../../storage/sqlite/existing.ts";
import type { Db } from "../../storage/storage.ts";
import type { Report } from "./rule.ts";

/**
 * Compares the database's tables, columns, indexes and triggers by name with those that the migrations create. Returns whether
 * there is everything that rules read.
 */
export async function checkSchema(db: Db, report: Report): Promise<boolean> {
  const { catalog } = db.engine;
  const found = new Set((await catalog.objects(db)).map(nameOf));
  const missing = catalog
    .expected(await objectsOfLatestSchema())
    .filter((object) => !found.has(nameOf(object)));
  const tables = missing.filter(({ kind }) => kind === "table").map(({ name }) => `${name}.`);
  for (const object of missing)
    if (object.kind !== "column" || !tables.some((table) => object.name.startsWith(table)))
      report(describe(object), false);
  return missing.every(isAside);
}

const nameOf = ({ kind, name }: SchemaObject) => `${kind} ${name}`;

/** Whether data can be read without it. */
const isAside = ({ kind }: SchemaObject) => kind === "index" || kind === "trigger";

function describe(object: SchemaObject): string {
  const what = `the ${nameOf(object)} is missing`;
  return isAside(object) && object.create !== null ? `${what}; this creates it: ${object.create}` : what;
}
