import { listIn, type Method, type Operation, takesIdempotencyKey } from "./operation.ts";
import { type OperationName, operations } from "./operations.ts";

/** What a client must know of an operation to send it: names alone, for the service judges what stands in them. */
export interface Route {
  method: Method;
  /** With `{name}` for each path parameter. */
  path: string;
  query: string[];
  body: string[];
  /** The fields that take files, and how many bytes each may have. */
  files: Record<string, number>;
  redirects: boolean;
  /** Whether its answer is a stream of events. */
  streams: boolean;
  /** Whether it takes an Idempotency-Key, under which a repetition is done once. */
  keyed: boolean;
  /** The list in its answer that goes on behind `nextCursor`; null where none does. */
  pages: string | null;
}

function routeOf(op: Operation): Route {
  return {
    method: op.method,
    path: op.path,
    query: Object.keys(op.query.properties),
    body: Object.keys(op.body.properties),
    files: Object.fromEntries(Object.entries(op.files).map(([name, { bytes }]) => [name, bytes])),
    redirects: op.redirects,
    streams: op.streams,
    keyed: takesIdempotencyKey(op),
    pages: "cursor" in op.query.properties ? (listIn(op)?.name ?? null) : null,
  };
}

/**
 * The route of every operation, by name. It says nothing that the operations don't, but without their schemas: a
 * published client carries this table as plain data, and none of what it is derived with.
 */
export const routes = Object.fromEntries(
  Object.entries(operations).map(([name, op]) => [name, routeOf(op)]),
) as Record<OperationName, Route>;
