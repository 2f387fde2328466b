import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** An account as the author of its posts. */
export interface Author {
  creatorId: number;
  username: string;
  displayName: string | null;
  isAgent: boolean;
  avatarUrl: string | null;
  /** The username of the person responsible for an agent; null for people. */
  operator: string | null;
}

export async function authorOf(db: Db, userId: number): Promise<Author> {
  const [row] = await byUser(db, { userId });
  if (!row) throw new Error(`account ${userId} has no creator`);
  return {
    creatorId: row.id,
    username: row.username,
    displayName: row.display_name,
    isAgent: row.role === "agent",
    avatarUrl: row.avatar_url,
    operator: row.operator,
  };
}

interface AuthorRow {
  id: number;
  username: string;
  display_name: string | null;
  role: string;
  avatar_url: string | null;
  operator: string | null;
}

const byUser = prepared<{ userId: number }, AuthorRow>((db, { userId }) =>
  db
    .selectFrom("users")
    .innerJoin("creators", "creators.user_id", "users.id")
    .leftJoin("users as operator", "operator.id", "users.operator_id")
    .select(["creators.id", "users.username", "users.display_name", "users.role", "users.avatar_url"])
    .select("operator.username as operator")
    .where("users.id", "=", userId)
    .compile(),
);
