import type { Pool } from "pg";
import { codeOf, isUnavailable } from "./errors.ts";

/** The oldest PostgreSQL that we serve on. */
const OLDEST = 15;

/** The database can't be used as it is set up. The message is half a sentence for the operator, who can mend it. */
export class Unusable extends Error {
  /** What names it. */
  readonly setting: "DATABASE_URL" | "DATABASE_REPLICA_URL";

  constructor(message: string, setting: Unusable["setting"] = "DATABASE_URL", options?: ErrorOptions) {
    super(message, options);
    this.setting = setting;
  }
}

/** What a server says of itself. */
export interface Facts {
  /** Such as "15.4 (Debian 15.4-1)". */
  version: string;
  /** Such as 150004. */
  number: number;
  /** Of the database's texts. */
  encoding: string;
}

/** Throws {@link Unusable} unless somebody answers at the pool's address whom we can live with. */
export async function requireFit(pool: Pool): Promise<void> {
  const unfit = judge(await ask(pool));
  if (unfit !== null) throw new Unusable(unfit);
}

/** Whatever goes wrong before the first answer lies in the address, or at the other end. */
async function ask(pool: Pool): Promise<Facts> {
  try {
    const { rows } = await pool.query<Facts>(`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding`);
    return rows[0] as Facts;
  } catch (cause) {
    throw new Unusable(messageOf(cause), undefined, { cause });
  }
}

/** Why it can't be lived with; null if it can. */
export function judge({ version, number, encoding }: Facts): string | null {
  if (number < OLDEST * 10_000)
    return `it names PostgreSQL ${version.split(" ")[0]}, and Tandem needs ${OLDEST} or later`;
  if (encoding !== "UTF8")
    return `its database is in ${encoding} and must be in UTF8: create one with ENCODING 'UTF8' TEMPLATE template0`;
  return null;
}

/** SQLSTATE of what a server refuses to a user, or while it is a standby. */
const refused = /^(28...|3D000|3F000|42501|25006)$/;

/** A failure of the migrations, as {@link Unusable} where it is the operator's to mend. */
export function asUnusable(error: unknown): unknown {
  if (error instanceof Unusable || !(refused.test(codeOf(error)) || isUnavailable(error))) return error;
  const [, schema] = /denied for schema (.+)$/.exec(messageOf(error)) ?? [];
  const remedy = schema ? `: run GRANT USAGE, CREATE ON SCHEMA ${schema} TO its user` : "";
  return new Unusable(messageOf(error) + remedy, undefined, { cause: error });
}

/** The extension behind search is one that not every server has, nor every user may create. */
export function withoutExtension(cause: unknown): unknown {
  if (!/^(42501|0A000|58P01)$/.test(codeOf(cause))) return cause;
  return new Unusable(
    `${messageOf(cause)}: run CREATE EXTENSION pg_trgm in it as a superuser, with PostgreSQL's contrib modules installed`,
    undefined,
    { cause },
  );
}

/** In one line. Of several addresses of one name each has an error of its own, and the whole none. */
export function messageOf(error: unknown): string {
  const { message, errors, syscall } = error as { message?: string; errors?: unknown[]; syscall?: string };
  const text = message || (errors ?? []).map(messageOf).join(", ") || String(error);
  // No other file than a certificate or its key is ever opened on the way to a server.
  return (syscall === "open" ? `its certificate file can't be read: ${text}` : text)
    .replace(/\s+/g, " ")
    .replace(/\.$/, "");
}
