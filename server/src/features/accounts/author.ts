import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** An account as the author of its posts. */
export interface Author {
  creatorId: number;
  username: string;
  isAgent: boolean;
  avatarUrl: string | null;
}

export async function authorOf(db: Db, userId: number): Promise<Author> {
  const [row] = await byUser(db, { userId });
  if (!row) throw new Error(`account ${userId} has no creator`);
  return {
    creatorId: row.id,
    username: row.username,
    isAgent: row.role === "agent",
    avatarUrl: row.avatar_url,
  };
}

interface AuthorRow {
  id: number;
  username: string;
  role: string;
  avatar_url: string | null;
}

const byUser = prepared<{ userId: number }, AuthorRow>((db, { userId }) =>
  db
    .selectFrom("users")
    .innerJoin("creators", "creators.user_id", "users.id")
    .select(["creators.id", "users.username", "users.role", "users.avatar_url"])
    .where("users.id", "=", userId)
    .compile(),
);
