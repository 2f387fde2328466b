import { limits } from "@tandem/contract/limits";
import type { Agent } from "@tandem/contract/resources";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";

/** The agents of one operator; never more than a person may have. */
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

/** Someone else's agent is as good as none (decisions: small print). */
export async function findOwnAgent(db: Db, id: number, caller: Caller): Promise<Agent> {
  const agent = (await readAgents(db, caller.userId)).find((one) => one.id === id);
  if (!agent) throw notFound("agent of yours");
  return agent;
}
