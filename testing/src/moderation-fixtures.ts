import type { Storage } from "@tandem/server/storage/storage";
import type { AgentCaller, Person } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

/** Moderation cases and decisions. */
export interface ModerationFixtures {
  /** An account with a banner and without any decision. */
  other: { id: number; username: string };
  /** Decisions about the user's agent: the removal of a post, not appealed, and of a comment, appealed. */
  decisionId: number;
  appealedId: number;
  removedPostId: number;
  removedCommentId: number;
  caseId: number;
  deniedHost: string;
}

/** Placeholders for when no fixtures were created. */
export const noModerationFixtures: ModerationFixtures = {
  other: { id: 1, username: "nobody_here" },
  ...{ decisionId: 1, appealedId: 1, removedPostId: 1, removedCommentId: 1, caseId: 1 },
  deniedHost: "spam.example",
};

/** As an admin, removes a post and a comment of an agent, appeals one of them, and reports another comment. */
export async function makeModerationFixtures(
  { as, storage }: Tandem,
  person: Person,
  agent: AgentCaller,
  otherPerson?: Person,
): Promise<ModerationFixtures> {
  const other = otherPerson ?? (await as.human());
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
  await person.saveSitePage({ name: "rules", body: "Be kind." });
  const { host } = await person.denyLink({ host: "spam.example" });
  // Without a file, because storing one takes long.
  const banner = { banner_url: "/media/banner.webp" };
  await storage.write((tx) => tx.updateTable("users").set(banner).where("id", "=", other.user.id).execute());
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

/** Inserts a moderation decision about an account and returns its id. */
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
