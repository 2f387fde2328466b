import pg, { type Pool, type PoolClient } from "pg";
import { Overloaded, type ServerConnections } from "../storage.ts";

export interface PoolOptions {
  url: string;
  /** The most connections. */
  connections: number;
  /** Milliseconds until a statement times out and its connection is closed; none by default. */
  timeout?: number | undefined;
  /** Milliseconds to wait for a connection; by default half of `timeout`, and at least 5000. */
  connectTimeout?: number;
}

const MIN_CONNECT_TIMEOUT = 5000;

/**
 * Timeouts are the client's. The server's `statement_timeout` would also end a commit's wait for a synchronous standby,
 * and report success.
 */
export function openPool({ url, connections, timeout, connectTimeout }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeout ?? Math.max(MIN_CONNECT_TIMEOUT, (timeout ?? 0) / 2),
    ...(timeout && { query_timeout: timeout }),
    // Detects servers that vanished without closing the connection, such as after a power loss.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    types: { getTypeParser },
    application_name: "tandem",
    // Transactions send several statements at once (pipeline.ts).
    pipeline: true,
  });
  // Broken connections are replaced on demand; the query that uses one gets the error.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The use of the pool of this URL. */
export function connectionsOf(url: string, { totalCount, idleCount, waitingCount }: Pool): ServerConnections {
  const used = totalCount - idleCount;
  return { server: new URL(url).host, used, idle: idleCount, waiting: waitingCount };
}

/** Takes a connection from the pool. Throws `Overloaded` if there is none in time. */
export function connect(pool: Pool): Promise<PoolClient> {
  return pool.connect().catch((cause) => {
    throw new Overloaded("The database can't be reached", { cause });
  });
}

const INT8 = 20;
const NUMERIC = 1700;

/** Parses 64-bit integers as numbers: all values here are small enough to be exact. */
function getTypeParser(type: number, format?: "text" | "binary") {
  if (type === INT8 || type === NUMERIC) return Number;
  return pg.types.getTypeParser(type, format as "text");
}
