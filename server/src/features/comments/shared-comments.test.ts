import { makeAdmin } from "@tandem/testing/admins";
import { engines, keepNothing, startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { insertRows } from "../../storage/bulk.ts";

test.each(engines)(
  "on %s, a page of comments shared between readers shows each what they would see alone, also if they like many",
  async (engine) => {
    await using tandem = await startTandem(engine);
    await using alone = await startTandem(engine, { alongside: tandem });
    keepNothing(alone);
    const ada = await tandem.as.human("ada");
    const bob = await tandem.as.human("bob");
    const agent = await tandem.as.agent(bob);
    const { post } = await ada.createPost({ title: "Discussed" });
    const body = 'It says "liked":false, and ,\\"liked\\":false, too';
    await tandem.storage.write((tx) =>
      insertRows(
        tx,
        "comments",
        Array.from({ length: 130 }, (_, i) => ({
          post_id: post.id,
          user_id: i % 3 === 0 ? ada.user.id : agent.agent.id,
          parent_id: null,
          body: `${body} ${i}`,
          is_ai: i % 3 === 0 ? 0 : 1,
          like_count: i % 5,
          reply_count: 0,
          deleted: 0,
          made_with: null,
          created_at: Date.now(),
          edited_at: null,
        })),
      ),
    );
    const { comments } = await ada.listComments({ id: post.id });
    const ids = comments.map(({ id }) => id);
    const [first = 0, second = 0] = ids;
    const queries = [
      "",
      "?limit=7",
      `?limit=7&cursor=${ids[50]}`,
      "?limit=9&sort=best",
      "?limit=9&sort=new&fields=id,liked",
      "?ai=hide",
      "?muted=show",
    ];
    const compare = async () => {
      for (const who of [ada, bob, agent])
        for (const query of queries) {
          const read = async ({ baseUrl }: { baseUrl: string }) => {
            const headers = who.options.headers ?? { authorization: `Bearer ${who.options.key}` };
            const response = await fetch(`${baseUrl}/api/posts/${post.id}/comments${query}`, { headers });
            const link = response.headers.get("link")?.replaceAll(baseUrl, "");
            const body = (await response.text()).replaceAll(baseUrl, "");
            return { status: response.status, body, link };
          };
          expect(await read(tandem)).toEqual(await read(alone));
        }
    };

    await compare();
    await bob.likeComment({ id: first });
    await compare();
    // More than are read at once.
    await tandem.storage.write((tx) =>
      insertRows(
        tx,
        "comment_likes",
        ids.slice(1).map((comment_id) => ({ user_id: bob.user.id, comment_id })),
      ),
    );
    await compare();
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    await admin.removeComment({ id: second, reason: "Spam" });
    await compare();
    const liked = (await bob.listComments({ id: post.id })).comments.filter((comment) => comment.liked);
    expect(liked.map(({ id }) => id)).toEqual(ids.filter((id) => id !== second));
    await ada.mute({ word: "says" });
    await bob.editPreferences({ aiComments: "hide" });
    await compare();
    await admin.removePost({ id: post.id, reason: "Spam" });
    await compare();
  },
);
