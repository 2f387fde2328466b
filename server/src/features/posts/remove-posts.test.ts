import { MAX_ID } from "@tandem/contract/schema";
import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { clickCounterOf } from "../shop/click-counter.ts";

describe.each(engines)("deleting a post on %s", (engine) => {
  test("deletes all of its dependants and nothing else", async () => {
    await using tandem = await startTandem(engine);
    const [ada, reader] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const { product } = await ada.createProduct({ title: "Teapot", url: "https://shop.example/teapot" });
    const { collection } = await reader.createCollection({ name: "Tea" });
    const made = async (title: string) => {
      const { post } = await ada.createPost({ title, productIds: [product.id] });
      const id = post.id;
      const top = (await reader.createComment({ id, body: "Top" })).comment;
      const reply = (await ada.createComment({ id, body: "Reply", parentId: top.id })).comment;
      const nested = (await reader.createComment({ id, body: "Nested", parentId: reply.id })).comment;
      await Promise.all([
        reader.likePost({ id }),
        reader.addToCollection({ id: collection.id, postId: id }),
        reader.viewPost({ id }),
        reader.likeComment({ id: reply.id }),
        ada.likeComment({ id: nested.id }),
      ]);
      await reader.openProduct({ id: product.id, post: id });
      await clickCounterOf(tandem.services).store();
      return { id, comments: [top.id, reply.id, nested.id] };
    };
    const doomed = await made("Doomed quokka");
    await ada.markNotificationsRead();
    const kept = await made("Kept wombat");
    await reader.dismissPost({ id: doomed.id });
    const inbox = async () => [await ada.listNotifications(), await reader.listNotifications()] as const;
    const [adasBefore, readersBefore] = await inbox();
    expect([adasBefore.unread, readersBefore.unread]).toEqual([4, 4]);

    expect(await ada.deletePost({ id: doomed.id })).toEqual({ deleted: true });

    for (const name of ["readPost", "listComments", "likePost"] as const) {
      expect((await reader.call(name, { id: doomed.id })).status).toBe(404);
    }
    for (const id of doomed.comments) expect((await ada.call("likeComment", { id })).status).toBe(404);
    expect((await ada.listPosts({ q: "doomed" })).posts).toEqual([]);
    expect((await reader.listPosts({ saved: 1 })).posts.map((post) => post.id)).toEqual([kept.id]);
    expect((await reader.readCollection({ id: collection.id })).collection.postCount).toBe(1);
    const [adas, readers] = await inbox();
    expect([adas.unread, readers.unread]).toEqual([4, 2]);
    for (const { notifications } of [adas, readers]) {
      expect(new Set(notifications.map(({ postId }) => postId))).toEqual(new Set([kept.id]));
    }
    expect((await ada.analytics()).totals).toEqual({
      posts: 1,
      views: 1,
      likes: 1,
      comments: 3,
      productClicks: 2,
      productClicks7d: 2,
    });
    expect((await ada.listProducts({ mine: 1 })).products).toEqual([product]);
    expect((await ada.readPost({ id: kept.id })).post).toMatchObject({
      likeCount: 1,
      commentCount: 3,
      viewCount: 1,
    });
    await expectNoRowsLeft(tandem.storage.read, doomed.id);
  });
});

const tables = [
  "post_texts",
  "post_likes",
  "post_saves",
  "collection_posts",
  "dismissals",
  "comments",
  "notifications",
  "post_products",
] as const;

type Reader = Awaited<ReturnType<typeof startTandem>>["storage"]["read"];

async function expectNoRowsLeft(read: Reader, id: number): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table)} where post_id = ${id}`.execute(read);
    expect(rows, table).toEqual([]);
  }
  const indexed = await read.engine.postSearch.candidates(read, ["DOOMED"], MAX_ID);
  expect((await sql`select * from ${indexed} as indexed`.execute(read)).rows).toEqual([]);
  const { rows } = await sql`select l.* from comment_likes l left join comments c on c.id = l.comment_id
    where c.id is null`.execute(read);
  expect(rows).toEqual([]);
}
