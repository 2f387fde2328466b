import { listIn, type Method, type Operation, takesIdempotencyKey } from "./operation.ts";
import { type OperationName, operations } from "./operations.ts";

/** What a client needs to send an operation: field names without schemas, since the service validates the values. */
export interface Route {
  method: Method;
  /** With `{name}` for each path parameter. */
  path: string;
  query: string[];
  body: string[];
  /** The fields that take files, with the maximum size of each in bytes. */
  files: Record<string, number>;
  redirects: boolean;
  /** Whether the response is a stream of events. */
  streams: boolean;
  /** Whether it accepts an Idempotency-Key, which makes a retry safe. */
  keyed: boolean;
  /** The field of the response with the paged list; null if there is none. */
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
 * The route of every operation, by name. Derived from the operations, but free of schemas: the published client contains
 * this table as plain data, and no schema library.
 */
export const routes = Object.fromEntries(
  Object.entries(operations).map(([name, op]) => [name, routeOf(op)]),
) as Record<OperationName, Route>;
