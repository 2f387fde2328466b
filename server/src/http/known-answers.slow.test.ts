import { HOUR } from "@tandem/contract/durations";
import type { OperationName } from "@tandem/contract/operations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { startTandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { expect, test } from "vitest";

/** `$post` stands for a post's id. */
const paths = [
  "/api/posts?limit=4",
  "/api/posts?limit=3&sort=hot",
  "/api/posts?followed=1",
  "/api/posts?saved=1&fields=id,title",
  "/api/posts/$post",
  "/api/posts/$post/comments",
  "/api/posts/$post/story",
  "/api/creators/native/ada",
  "/api/notifications",
  "/api/notifications/count",
];

const acts: [name: OperationName, input: (post: number) => object][] = [
  ["likePost", (id) => ({ id })],
  ["unlikePost", (id) => ({ id })],
  ["savePost", (id) => ({ id })],
  ["viewPost", (id) => ({ id })],
  ["dismissPost", (id) => ({ id })],
  ["createComment", (id) => ({ id, body: `@ada said something of ${id}` })],
  ["createPost", (id) => ({ title: `After ${id}` })],
  ["editPost", (id) => ({ id, title: "Renamed" })],
  ["deletePost", (id) => ({ id })],
  ["removePost", (id) => ({ id, reason: "Spam" })],
  ["restorePost", (id) => ({ id })],
  ["follow", () => ({ platform: "native", author: "ada" })],
  ["unfollow", () => ({ platform: "native", author: "ada" })],
  ["block", () => ({ username: "bob" })],
  ["unblock", () => ({ username: "bob" })],
  ["mute", () => ({ platform: "native", author: "bob" })],
  ["mute", () => ({ word: "first" })],
  ["unmute", () => ({ platform: "native", author: "bob" })],
  ["unmute", () => ({ word: "first" })],
  ["editPreferences", () => ({ aiPosts: "hide", aiComments: "hide" })],
  ["editPreferences", () => ({ aiPosts: "show", aiComments: "show" })],
  ["editProfile", (id) => ({ bio: `Knows ${id}` })],
  ["markNotificationsRead", () => ({})],
];

test("an answer for preferences of before isn't kept, if the session is renewed while they change", async () => {
  let elapsed = 0;
  await using tandem = await startTandem("sqlite", { now: () => Date.now() + elapsed });
  const ada = await tandem.as.human();
  const agent = await tandem.as.agent();
  await agent.createPost({ title: "By an agent" });
  const session = await tandem.as.anotherSession(ada);
  const count = async () => (await ada.listPosts()).posts.length;
  for (let i = 0; i < 12; i++) {
    await session.editPreferences({ aiPosts: "show" });
    elapsed += 26 * HOUR;
    // Renews the other session.
    await session.countNotifications();
    // The read, which is due to renew its session, and the change wait for the same commit.
    await Promise.all([count(), session.editPreferences({ aiPosts: "hide" })]);
    expect(await count()).toBe(0);
  }
});

test("known answers are those that the handler would give, whatever happened in this process or another", async () => {
  await using tandem = await startTandem();
  await using other = await startTandem("sqlite", { dataDir: tandem.services.config.dataDir });
  const ada = await tandem.as.human("ada");
  const bob = await tandem.as.human("bob");
  const admin = await tandem.as.human("watch");
  await makeAdmin(tandem.storage, admin);
  const key = await tandem.as.key(undefined, ada);
  const agent = await tandem.as.agent(bob);
  const callers: Caller[] = [tandem.as.anonymous(), ada, bob, admin, key, agent];
  for (const who of [ada, bob, key, agent]) await who.createPost({ title: "First" });
  const { posts } = await ada.listPosts();
  let asked = 0;
  let known = 0;

  const ask = async (who: Caller, path: string) => {
    const response = await fetch(tandem.baseUrl + path, { headers: headersOf(who) });
    return { status: response.status, body: await response.text(), etag: response.headers.get("etag") };
  };
  const compare = async (who: Caller, path: string) => {
    asked += 1;
    const [first, second] = [await ask(who, path), await ask(who, path)];
    const again = await ask(who, `${path}${path.includes("?") ? "&" : "?"}_n=${asked}`);
    expect(first).toEqual(again);
    expect(second).toEqual(again);
    if (again.status === 200) known += 1;
  };

  const step = fc.record({
    act: fc.constantFrom(...acts),
    who: fc.nat(callers.length - 1),
    post: fc.nat(9),
    elsewhere: fc.boolean(),
    looks: fc.array(fc.record({ who: fc.nat(callers.length - 1), path: fc.constantFrom(...paths) }), {
      minLength: 2,
      maxLength: 5,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 10 }), async (steps) => {
      for (const { act, who, post, elsewhere, looks } of steps) {
        const id = posts[post % posts.length]?.id ?? 0;
        const compareAll = async () => {
          for (const look of looks)
            await compare(callers[look.who] as Caller, look.path.replace("$post", String(id)));
        };
        await compareAll();
        const [name, input] = act;
        const caller = callers[who] as Caller;
        const through = elsewhere ? other.as.with(headersOf(caller)) : caller;
        // Many are refused, such as the edit of another's post.
        expect((await through.call(name, input(id))).status).toBeLessThan(500);
        await compareAll();
      }
    }),
    { numRuns: 5 },
  );
  expect(known).toBeGreaterThan(asked / 3);
});

function headersOf({ options }: Caller): Record<string, string> {
  return options.key ? { authorization: `Bearer ${options.key}` } : (options.headers ?? {});
}
