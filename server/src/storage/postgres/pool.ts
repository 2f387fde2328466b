import pg, { type Pool, type PoolClient } from "pg";
import { Overloaded } from "../storage.ts";

export interface PoolOptions {
  url: string;
  /** Connections at most. */
  connections: number;
  /** Milliseconds that a statement may take before its connection is given up; no end unless given. */
  timeout?: number | undefined;
  /** Milliseconds to wait for a connection. */
  patience?: number;
}

/**
 * What hangs is given up by us and never by the server: a limit of the server's own would end a commit's wait for
 * its standby, too, and call that a success.
 */
export function openPool({ url, connections, timeout, patience = 5000 }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: patience,
    ...(timeout && { query_timeout: timeout }),
    // A machine that lost its power says nothing, so idle connections ask.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    types: { getTypeParser },
    application_name: "tandem",
  });
  // A connection that breaks is replaced when the next is needed; who is using it hears of it with the next answer.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** A connection of the pool's; `Overloaded` where none can be had. */
export function connect(pool: Pool): Promise<PoolClient> {
  return pool.connect().catch((cause) => {
    throw new Overloaded("the database can't be reached", { cause });
  });
}

const INT8 = 20;
const NUMERIC = 1700;

/** All our integers are exact as numbers. */
function getTypeParser(type: number, format?: "text" | "binary") {
  if (type === INT8 || type === NUMERIC) return Number;
  return pg.types.getTypeParser(type, format as "text");
}
