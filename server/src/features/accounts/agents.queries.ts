import { limits } from "@tandem/contract/limits";
import type { Agent } from "@tandem/contract/resources";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";

/** An operator's agents. Their number is limited, so the list has one page. */
export async function readAgents(db: Db, operatorId: number): Promise<Agent[]> {
  const rows = await db
    .selectFrom("users as u")
    .innerJoin("creators as c", "c.user_id", "u.id")
    .select([
      "u.id",
      "u.username",
      "u.display_name",
      "u.avatar_url",
      "u.bio",
      "u.paused",
      "u.created_at",
      "c.post_count",
    ])
    .where("u.operator_id", "=", operatorId)
    .orderBy("u.id")
    .limit(limits.longList)
    .execute();
  return rows.map(({ display_name, avatar_url, paused, created_at, post_count, ...rest }) => ({
    ...rest,
    displayName: display_name,
    avatarUrl: avatar_url,
    paused: paused === 1,
    createdAt: new Date(created_at).toISOString(),
    postCount: post_count,
  }));
}

/** Throws `not_found` if the caller has no such agent, also if it is someone else's. */
export async function findOwnAgent(db: Db, id: number, caller: Pick<Caller, "userId">): Promise<Agent> {
  const agents = await readAgents(db, caller.userId);
  const agent = agents.find((candidate) => candidate.id === id);
  if (!agent) throw notFound("agent", "You have no agent with this id.");
  return agent;
}
