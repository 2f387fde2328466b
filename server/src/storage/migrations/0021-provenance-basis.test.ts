import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "../storage.ts";
import { provenanceBasis } from "./0021-provenance-basis.ts";

test.each(engines)(
  "existing posts on %s get the basis that they would have got when they were made",
  async (engine) => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    const key = await tandem.as.key(["posts:write"], ada);
    const agent = await tandem.as.agent(ada);
    const quoted = 'They wrote: {"platform":"rss","provenance":"ai_generated","authorIsAgent":true,"x":1}';
    await ada.createPost({ title: quoted, body: `,${quoted}` });
    await ada.createPost({ title: "Declared", provenance: "ai_generated" });
    await ada.createPost({ title: "Assisted", provenance: "ai_assisted" });
    const { post } = await ada.createPost({ title: "By hand" });
    await key.editPost({ id: post.id, title: "By key" });
    await key.createPost({ title: "All by key" });
    await agent.createPost({ title: "By the agent" });
    const { product } = await ada.createProduct({ title: "A loom", url: "https://example.org/loom" });
    await ada.createPost({ title: "With a product", productIds: [product.id] });
    const shopKey = await tandem.as.key(["products:write"], ada);
    await shopKey.editProduct({ id: product.id, title: "A fine loom" });
    await tandem.storage.write(async (tx) => {
      await insertImportedPost(tx, { platform: "lemmy", title: "Unknown" });
      await insertImportedPost(tx, { platform: "rss", title: "Known", provenance: "ai_assisted" });
    });
    const posts = async () => (await tandem.as.anonymous().listPosts()).posts;
    const before = await posts();
    expect(new Set(before.map((post) => post.provenanceBasis)).size).toBe(4);
    await tandem.storage.write(async (tx) => {
      await undo(tx);
      await provenanceBasis(tx);
    });
    expect(await posts()).toEqual(before);
    expect(
      (await tandem.as.anonymous().listPosts({ basis: "assumed" })).posts.map(({ title }) => title),
    ).toEqual(["Unknown"]);
  },
);

async function undo(tx: Db): Promise<void> {
  await sql`update posts set
    fragment = replace(fragment, ',"provenanceBasis":"' || basis || '"', '')`.execute(tx);
  for (const order of ["id", "hot_rank_id"]) {
    await tx.schema.dropIndex(`posts_provenance_basis_${order}`).execute();
    // A later migration's, on the same column.
    await tx.schema.dropIndex(`posts_stated_${order}`).execute();
  }
  await tx.schema
    .createIndex("posts_provenance_hot_rank_id")
    .on("posts")
    .columns(["provenance", "hot_rank", "id"])
    .execute();
  await tx.schema.alterTable("posts").dropColumn("basis").execute();
}
