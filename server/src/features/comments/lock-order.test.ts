import { manyConnections, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";

test("concurrent posts, comments and likes don't deadlock", async () => {
  await using tandem = await startTandem("postgres", { env: manyConnections });
  const ada = await tandem.as.human();
  const agents = await Promise.all([1, 2, 3].map(() => tandem.as.agent(ada)));
  await Promise.all(
    [...agents, ...agents, ...agents].map(async (agent) => {
      const { id } = (await ada.createPost({ title: "On looms" })).post;
      for (const caller of [ada, agent, ada, agent]) {
        const { comment } = await caller.createComment({ id, body: "Said" });
        await agent.likeComment({ id: comment.id });
        await agent.likePost({ id });
      }
    }),
  );
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(tandem.storage.read);
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
