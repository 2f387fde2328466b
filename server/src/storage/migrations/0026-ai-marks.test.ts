import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { drawPosters } from "../../features/posts/posters.ts";
import type { Db } from "../storage.ts";
import { aiMarks } from "./0026-ai-marks.ts";

test.each(engines)(
  "existing products, profiles, notifications and files on %s get their marks",
  async (engine) => {
    // Prepared statements would break: normally no service runs during a migration.
    await using tandem = await startTandem(engine, { env: { DATABASE_PREPARES: "0" } });
    const ada = await tandem.as.human();
    const bob = await tandem.as.human();
    const key = await tandem.as.key(undefined, ada);
    const agent = await tandem.as.agent(ada);
    const url = "https://example.org/loom";
    const quoted = '"url":"/out/1?post=1"}';
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const { product: own } = await ada.createProduct({ title: quoted, url });
    const { product: edited } = await ada.createProduct({ title: "By hand", url });
    await key.editProduct({ id: edited.id, title: "By key" });
    await agent.createProduct({ title: "By the agent", url });
    const { post } = await ada.createPost({
      title: quoted,
      body: quoted,
      productIds: [own.id, edited.id],
      image,
    });
    await key.editProfile({ bio: "By key" });
    await agent.createComment({ id: post.id, body: "By the agent" });
    await agent.editProfile({ displayName: "Agent" });
    // A call that changed nothing, as an earlier version logged it.
    await bob.editProfile({ displayName: "Bob", bio: "By hand" });
    await tandem.storage.write((tx) =>
      tx
        .insertInto("activity")
        .values({
          ...{ user_id: bob.user.id, key_id: null, operation: "editProfile", target: null, creator: null },
          ...{ changed: 0, created_at: Date.now() },
        })
        .execute(),
    );
    await key.createPost({ title: "By key", image });
    await key.editPost({ id: post.id, title: "Edited" });
    await tandem.services.afterResponse.idle();
    const read = async () => ({
      products: (await ada.listProducts()).products,
      posts: (await ada.listPosts()).posts.map(({ mediaUrl: _, thumbnailUrl: __, ...rest }) => rest),
      me: await ada.me(),
      bob: await bob.me(),
      agent: await agent.me(),
      notifications: await ada.listNotifications(),
      marks: await tandem.storage.read
        .selectFrom("media_files as f")
        .innerJoin("media as m", "m.id", "f.media_id")
        .select(["m.post_id", "f.variant", "f.mark"])
        .where("m.post_id", "is not", null)
        .orderBy("m.post_id")
        .orderBy("f.variant")
        .execute(),
    });
    const before = await read();
    expect(before.marks.filter(({ mark }) => mark !== null).length).toBeGreaterThan(1);
    await tandem.storage.write(async (tx) => {
      await undo(tx);
      await aiMarks(tx);
    });
    await drawPosters(tandem.services);
    expect(await read()).toEqual(before);
  },
);

async function undo(tx: Db): Promise<void> {
  await sql`update posts set
    fragment = replace(replace(fragment, ',"isAiGenerated":true}', '}'), ',"isAiGenerated":false}', '}')`.execute(
    tx,
  );
  for (const [table, column] of [
    ["products", "is_ai"],
    ["users", "display_name_is_ai"],
    ["users", "bio_is_ai"],
    ["users", "avatar_is_ai"],
    ["notifications", "by_ai"],
    ["media_files", "mark"],
  ] as const)
    await tx.schema.alterTable(table).dropColumn(column).execute();
}
