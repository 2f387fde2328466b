import { makeAdmin } from "@tandem/testing/admins";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, manyConnections, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { muteCreator } from "./mutes.ts";
import { namedCreator } from "./named-creator.ts";

const platform = "reddit";

describe.each(engines)("creators elsewhere on %s", (engine) => {
  test("stay while they have a removed post, which can still be restored", async () => {
    await using tandem = await startTandem(engine);
    const [ada, admin] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const author = "far_away";
    const id = await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform, author, title: "From afar" }),
    );
    await ada.follow({ platform, author });
    await admin.removePost({ id, reason: "Spam" });
    await ada.unfollow({ platform, author });
    await admin.restorePost({ id });
    expect((await ada.listPosts({ platform, author })).posts).toMatchObject([{ id, title: "From afar" }]);
  });
});

test("an author elsewhere who is unfollowed while someone else mutes them stays muted", async () => {
  await using tandem = await startTandem("postgres", { env: manyConnections });
  const { storage } = tandem;
  const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
  const named = { platform, author: "far_away" } as const;
  await ada.follow(named);
  const { unfollowed } = await storage.write(async (tx) => {
    const creatorId = await namedCreator(tx, named);
    await muteCreator(tx, bob.user.id, creatorId, { until_at: null, created_at: 0 });
    const unfollowed = ada.unfollow(named);
    await expect.poll(waits).toBe(true);
    return { unfollowed };
  });
  expect(await unfollowed).toEqual({ following: false });
  expect((await bob.listMutes()).mutes).toMatchObject([named]);

  async function waits(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(storage.read);
    return rows.length > 0;
  }
});
