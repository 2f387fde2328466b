import type { Storage } from "@tandem/server/storage/storage";
import type { AgentCaller, Person } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

/** What moderators have before them. */
export interface ModerationFixtures {
  /** An account that nobody has anything against yet. */
  other: { id: number; username: string };
  /** About an agent of the household's: one that wasn't appealed, of a post, and one that was, of a comment. */
  decisionId: number;
  appealedId: number;
  removedPostId: number;
  removedCommentId: number;
  caseId: number;
  deniedHost: string;
}

/** What there may be where nothing was made. */
export const noModerationFixtures: ModerationFixtures = {
  other: { id: 1, username: "nobody_here" },
  ...{ decisionId: 1, appealedId: 1, removedPostId: 1, removedCommentId: 1, caseId: 1 },
  deniedHost: "spam.example",
};

/** Has an admin take away a post and a comment of an agent's, of which one is appealed, and somebody report another comment. */
export async function makeModerationFixtures(
  { as }: Tandem,
  person: Person,
  agent: AgentCaller,
  somebody?: Person,
): Promise<ModerationFixtures> {
  const other = somebody ?? (await as.human());
  const { post: theirs } = await other.createPost({ title: "On teapots" });
  const { post } = await agent.createPost({ title: "Buy my teapots" });
  const { comment } = await agent.createComment({ id: theirs.id, body: "Buy mine." });
  const reason = "Advertising";
  const { decision } = await person.removePost({ id: post.id, reason });
  const { decision: appealed } = await person.removeComment({ id: comment.id, reason });
  await person.createAppeal({ decisionId: appealed.id, text: "It was no advertisement." });
  const { comment: reported } = await agent.createComment({ id: theirs.id, body: "And my cups." });
  await other.createReport({ commentId: reported.id, reason });
  const { cases } = await person.listCases({ limit: 1 });
  const { host } = await person.denyLink({ host: "spam.example" });
  return {
    other: other.user,
    decisionId: decision.id,
    appealedId: appealed.id,
    removedPostId: post.id,
    removedCommentId: comment.id,
    caseId: cases[0]?.id ?? 0,
    deniedHost: host.host,
  };
}

/** A decision about an account, as a moderator would have made it. */
export async function makeDecision(storage: Storage, userId: number): Promise<number> {
  const about = { act: "remove_post", user_id: userId, excerpt: "", reason: "Advertising" } as const;
  const { id } = await storage.write((tx) =>
    tx
      .insertInto("decisions")
      .values({ ...about, automated: 0, created_at: Date.now() })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return id;
}
