import type { Role } from "@tandem/contract/resources";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** An account as others name it. */
export interface Named {
  id: number;
  username: string;
  role: Role;
  /** The person who answers for an agent. */
  operator_id: number | null;
}

/** Another account than the caller's, by its username in any case. Throws `not_found`; `invalid_input` for oneself. */
export async function findOther(db: Db, caller: Caller, username: string): Promise<Named> {
  const [account] = await byName(db, { key: username.toLowerCase() });
  if (!account) throw notFound("account");
  if (account.id === caller.userId) throw invalid("username", "This takes two: name somebody else.");
  return account;
}

const byName = prepared<{ key: string }, Named>((db, { key }) =>
  db
    .selectFrom("users")
    .select(["id", "username", "role", "operator_id"])
    .where("username_key", "=", key)
    .compile(),
);
