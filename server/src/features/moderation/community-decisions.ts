import type { Act } from "@tandem/contract/moderation";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { closeById, lockCommunityById } from "../communities/communities.queries.ts";
import { findOwned } from "../communities/members.queries.ts";
import { clearCommunityPicture } from "../communities/picture.ts";
import { closeCase, recordDecision } from "./decide.ts";
import { aboutName } from "./excerpts.ts";

/*
 * What the service's admins decide about a reported community. Its owner is notified of the reason, and can appeal. It is no
 * strike: several people run a community.
 */

interface Removal {
  reason: string;
  now: number;
}

/** Deletes a community's picture, and resolves its reports. Throws `not_found`, and `invalid_input` if it has none. */
export async function removeReportedPicture(tx: Db, id: number, removal: Removal): Promise<void> {
  const community = await lockReported(tx, id);
  if (community.pictureUrl === null) throw invalid("action", "This community has no picture.");
  await clearCommunityPicture(tx, id, removal.now);
  await recordAbout(tx, community, "remove_community_picture", removal);
  await closeCase(tx, "community", id, "removed", removal.now);
}

/** Closes a community, unless it is closed already, and resolves its reports. Throws `not_found`. */
export async function closeReported(tx: Db, id: number, removal: Removal): Promise<void> {
  const community = await lockReported(tx, id);
  if (community.closedAt === null) {
    await closeById(tx, id, removal.now);
    await recordAbout(tx, community, "close_community", removal);
  }
  await closeCase(tx, "community", id, "closed", removal.now);
}

interface Reported {
  name: string;
  owner: number | null;
  pictureUrl: string | null;
  closedAt: number | null;
}

async function lockReported(tx: Db, id: number): Promise<Reported> {
  await lockCommunityById(tx, id);
  const found = await tx
    .selectFrom("communities")
    .select(["name", "picture_url as pictureUrl", "closed_at as closedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!found) throw notFound("community");
  return { ...found, owner: (await findOwned(tx, found.name)).owner };
}

async function recordAbout(
  tx: Db,
  { name, owner }: Reported,
  act: Act,
  { reason, now }: Removal,
): Promise<void> {
  await recordDecision(tx, {
    ...{ act, user_id: owner, community_id: null, ...aboutName(name) },
    ...{ reason, automated: 0, until_at: null, created_at: now },
  });
}
