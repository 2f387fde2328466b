import type { Role } from "@tandem/contract/resources";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { type OperatorColumns, operatorColumns } from "../creators/operator.ts";

export interface FoundAccount extends OperatorColumns {
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
    .selectFrom("users as u")
    .leftJoin("users as o", "o.id", "u.operator_id")
    .select(["u.id", "u.username", "u.role", "u.operator_id"])
    .select(operatorColumns)
    .where("u.username_key", "=", key)
    .compile(),
);
