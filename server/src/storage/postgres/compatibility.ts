import type { Pool } from "pg";
import { codeOf, isUnavailable } from "./errors.ts";

/** The oldest supported major version of PostgreSQL. */
const MIN_VERSION = 15;

/** The database can't be used as it is configured. The message completes "DATABASE_URL can't be used: …". */
export class UnusableDatabase extends Error {
  /** The setting that names the database. */
  readonly setting: "DATABASE_URL" | "DATABASE_REPLICA_URL";

  constructor(
    message: string,
    setting: UnusableDatabase["setting"] = "DATABASE_URL",
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.setting = setting;
  }
}

/** What a server reports about itself. */
export interface ServerInfo {
  /** Such as "15.4 (Debian 15.4-1)". */
  version: string;
  /** Such as 150004. */
  number: number;
  /** The database's character encoding. */
  encoding: string;
}

/** Throws {@link UnusableDatabase} unless a supported server responds. */
export async function requireCompatible(pool: Pool): Promise<void> {
  const problem = findIncompatibility(await queryServerInfo(pool));
  if (problem !== null) throw new UnusableDatabase(problem);
}

/** Every error of the first query is one of the setting or of the server, so all are `UnusableDatabase`. */
async function queryServerInfo(pool: Pool): Promise<ServerInfo> {
  try {
    const { rows } = await pool.query<ServerInfo>(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding`);
    return rows[0] as ServerInfo;
  } catch (cause) {
    throw new UnusableDatabase(messageOf(cause), undefined, { cause });
  }
}

/** Why the server can't be used; null if it can. */
export function findIncompatibility({ version, number, encoding }: ServerInfo): string | null {
  if (number < MIN_VERSION * 10_000)
    return `the server runs PostgreSQL ${version.split(" ")[0]}, and Tandem needs ${MIN_VERSION} or later`;
  if (encoding !== "UTF8")
    return `the database's encoding is ${encoding} and must be UTF8: create one with ENCODING 'UTF8' TEMPLATE template0`;
  return null;
}

/** SQLSTATEs of missing permissions, and of a standby. */
const refused = /^(28...|3D000|3F000|42501|25006)$/;

/** Converts a migration's error to {@link UnusableDatabase} if the administrator can fix it. */
export function asUnusableDatabase(error: unknown): unknown {
  if (error instanceof UnusableDatabase || !(refused.test(codeOf(error)) || isUnavailable(error)))
    return error;
  const [, schema] = /denied for schema (.+)$/.exec(messageOf(error)) ?? [];
  const remedy = schema ? `: run GRANT USAGE, CREATE ON SCHEMA ${schema} TO its user` : "";
  return new UnusableDatabase(messageOf(error) + remedy, undefined, { cause: error });
}

/** Converts the error of creating pg_trgm: not every server has it, and not every user may create it. */
export function asMissingExtension(cause: unknown): unknown {
  if (!/^(42501|0A000|58P01)$/.test(codeOf(cause))) return cause;
  return new UnusableDatabase(
    `${messageOf(cause)}: run CREATE EXTENSION pg_trgm in it as a superuser, with PostgreSQL's contrib modules installed`,
    undefined,
    { cause },
  );
}

/** The message in one line. If a host has several addresses, the error has one error per address and no message. */
export function messageOf(error: unknown): string {
  const { message, errors, syscall } = error as { message?: string; errors?: unknown[]; syscall?: string };
  const text = message || (errors ?? []).map(messageOf).join(", ") || String(error);
  // Connecting opens no files but certificates and their keys.
  return (syscall === "open" ? `its certificate file can't be read: ${text}` : text)
    .replace(/\s+/g, " ")
    .replace(/\.$/, "");
}
