import { traceStep } from "../tracing/tracing.ts";

/** Runs a statement in a span that says what kind it is, without its text and values. */
export function traceStatement<T>(
  system: "sqlite" | "postgresql",
  text: string,
  run: () => Promise<T>,
): Promise<T> {
  return traceStep(() => {
    const { operation, table } = summaryOf(text);
    return {
      name: table === undefined ? operation : `${operation} ${table}`,
      kind: "CLIENT",
      attributes: {
        "db.system.name": system,
        "db.operation.name": operation,
        ...(table !== undefined && { "db.collection.name": table }),
      },
    };
  }, run);
}

/** The kind of a statement and the first table that it names. */
function summaryOf(text: string): { operation: string; table: string | undefined } {
  const [, operation = "UNKNOWN"] = /^[\s(]*([a-z]+)/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]\w*)/i.exec(text) ?? [];
  return { operation: operation.toUpperCase(), table };
}
