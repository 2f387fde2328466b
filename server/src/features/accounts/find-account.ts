import type { Role } from "@tandem/contract/resources";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

export interface FoundAccount {
  id: number;
  username: string;
  role: Role;
  /** An agent's operator; null for a person. */
  operator_id: number | null;
}

/** Finds another account by its username, in any case. Throws `not_found`, or `invalid_input` for the caller's own. */
export async function findOther(db: Db, caller: Caller, username: string): Promise<FoundAccount> {
  const [account] = await byName(db, { key: username.toLowerCase() });
  if (!account) throw notFound("account");
  if (account.id === caller.userId)
    throw invalid("username", "This is your own username. Name another account.");
  return account;
}

const byName = prepared<{ key: string }, FoundAccount>((db, { key }) =>
  db
    .selectFrom("users")
    .select(["id", "username", "role", "operator_id"])
    .where("username_key", "=", key)
    .compile(),
);
