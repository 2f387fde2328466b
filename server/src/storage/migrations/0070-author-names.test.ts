import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { authorNames } from "./0070-author-names.ts";

test.each(engines)("existing posts on %s get their authors' display names", async (engine) => {
  await using tandem = await startTandem(engine);
  const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
  await ada.editProfile({ displayName: 'Ada "Countess" Löve\\lace' });
  await ada.createPost({ title: 'Says ,"author":"ada","title":"x"' });
  await bob.createPost({ title: "Without a name" });
  const posts = async () => (await tandem.as.anonymous().listPosts()).posts;
  const before = await posts();
  await tandem.storage.write(async (tx) => {
    const { rows } = await sql<{ id: number; fragment: string }>`select id, fragment from posts`.execute(tx);
    for (const { id, fragment } of rows)
      await sql`update posts set fragment = ${fragment.replace(/,"authorName":"(\\.|[^"])*"/, "")} where id = ${id}`.execute(
        tx,
      );
  });
  expect((await posts()).map(({ authorName }) => authorName)).toEqual([undefined, undefined]);
  await tandem.storage.write(authorNames);
  expect(await posts()).toEqual(before);
});
