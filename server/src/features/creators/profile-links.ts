import type { ProfileLink } from "@tandem/contract/resources";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** The links on an account's profile, in its order. Their number is limited. */
export async function readProfileLinks(db: Db, userId: number): Promise<ProfileLink[]> {
  return (await ofUser(db, { userId })).map(({ url, verified_at, checked_at, problem }) => ({
    url,
    verifiedAt: timeOf(verified_at),
    checkedAt: timeOf(checked_at),
    problem,
  }));
}

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

type Row = Pick<ProfileLink, "url" | "problem"> & { verified_at: number | null; checked_at: number | null };

const ofUser = prepared<{ userId: number }, Row>((db, { userId }) =>
  db
    .selectFrom("profile_links")
    .select(["url", "verified_at", "checked_at", "problem"])
    .where("user_id", "=", userId)
    .orderBy("position")
    .compile(),
);
