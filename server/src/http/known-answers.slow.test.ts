import { HOUR } from "@tandem/contract/durations";
import type { OperationName } from "@tandem/contract/operations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { startPostgres } from "@tandem/testing/postgres-server";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, keepNothing, startTandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Admission } from "./admission.ts";
import { KnownAnswers } from "./known-answers.ts";

/** `$post` stands for a post's id. */
const feedPaths = [
  "/api/posts?limit=4",
  "/api/posts?limit=3&sort=hot",
  "/api/posts?limit=2&author=bob",
  "/api/posts?followed=1",
  "/api/posts?saved=1&fields=id,title",
  "/api/posts/$post",
  "/api/posts/$post/comments",
  "/api/posts/$post/story",
  "/api/posts/$post/quotes",
  "/api/creators/native/ada",
  "/api/notifications",
  "/api/notifications/count",
];

const commentPaths = [
  "/api/posts/$post/comments",
  "/api/posts/$post/comments?limit=2",
  "/api/posts/$post/comments?limit=2&sort=best",
  "/api/posts/$post/comments?sort=new&fields=id,body,liked",
  "/api/posts/$post/comments?ai=hide",
  "/api/posts/$post/comments?muted=show",
];

type Act = [
  name: OperationName,
  input: (post: number, in2Hours: string, bob: number, comment: number) => object,
];

const feedActs: Act[] = [
  ["likePost", (id) => ({ id })],
  ["repostPost", (id) => ({ id })],
  ["createPost", (id) => ({ title: `On ${id}`, quoteId: id })],
  [
    "createPost",
    (id, in2Hours) => ({ title: `Asks of ${id}`, poll: { options: ["yes", "no"], closesAt: in2Hours } }),
  ],
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
  ["block", () => ({ username: "ada" })],
  ["unblock", () => ({ username: "ada" })],
  ["mute", () => ({ platform: "native", author: "bob" })],
  ["mute", () => ({ word: "first" })],
  ["mute", (_, in2Hours) => ({ word: "first", until: in2Hours })],
  ["mute", (_, in2Hours) => ({ platform: "native", author: "bob", until: in2Hours })],
  ["unmute", () => ({ platform: "native", author: "bob" })],
  ["unmute", () => ({ word: "first" })],
  ["editPreferences", () => ({ aiPosts: "hide", aiComments: "hide" })],
  ["editPreferences", () => ({ aiPosts: "show", aiComments: "show" })],
  ["editPreferences", () => ({ sensitivePosts: "hide" })],
  ["editPreferences", () => ({ sensitivePosts: "warn" })],
  ["editPost", (id) => ({ id, sensitive: true })],
  ["editProfile", (id) => ({ bio: `Knows ${id}` })],
  ["markNotificationsRead", () => ({})],
  ["suspendAccount", (_, in2Hours, bob) => ({ id: bob, reason: "Spam", until: in2Hours })],
  ["liftSuspension", (_, _in2Hours, bob) => ({ id: bob })],
];

const commentActs: Act[] = [
  ["createComment", (id) => ({ id, body: `A comment with "liked":false on ${id}` })],
  ["createComment", (id, _in2Hours, _bob, parentId) => ({ id, parentId, body: "A reply" })],
  ["likeComment", (_post, _in2Hours, _bob, id) => ({ id })],
  ["likeComment", (_post, _in2Hours, _bob, id) => ({ id })],
  ["unlikeComment", (_post, _in2Hours, _bob, id) => ({ id })],
  ["editComment", (_post, in2Hours, _bob, id) => ({ id, body: `Edited before ${in2Hours}` })],
  ["deleteComment", (_post, _in2Hours, _bob, id) => ({ id })],
  ["removeComment", (_post, _in2Hours, _bob, id) => ({ id, reason: "Spam" })],
  ["restoreComment", (_post, _in2Hours, _bob, id) => ({ id })],
  ["removePost", (id) => ({ id, reason: "Spam" })],
  ["restorePost", (id) => ({ id })],
  ["deletePost", (id) => ({ id })],
  ["editProfile", (id) => ({ displayName: `Known as ${id}` })],
  ["likePost", (id) => ({ id })],
  ["block", () => ({ username: "bob" })],
  ["mute", () => ({ platform: "native", author: "bob" })],
  ["mute", (_, in2Hours) => ({ word: "comment", until: in2Hours })],
  ["unmute", () => ({ platform: "native", author: "bob" })],
  ["unmute", () => ({ word: "comment" })],
  ["editPreferences", () => ({ aiComments: "hide" })],
  ["editPreferences", () => ({ aiComments: "show" })],
  ["suspendAccount", (_, in2Hours, bob) => ({ id: bob, reason: "Spam", until: in2Hours })],
  ["liftSuspension", (_, _in2Hours, bob) => ({ id: bob })],
];

/** How clients ask: what they accept, and from where. */
const manners: Record<string, string>[] = [
  {},
  { "accept-encoding": "gzip" },
  { origin: "https://example.com" },
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

const subjects = { feeds: [feedPaths, feedActs], comments: [commentPaths, commentActs] } as const;

test.each(
  engines.flatMap((engine) => (["feeds", "comments"] as const).map((subject) => [subject, engine] as const)),
)(
  "known answers of %s on %s are those that the handler would give, whatever happened in this process or another",
  async (subject, engine) => {
    const [paths, acts] = subjects[subject];
    let elapsed = 0;
    const now = () => Date.now() + elapsed;
    using find = vi.spyOn(KnownAnswers.prototype, "find");
    // Its own, because commits in any database of a server end what is known.
    await using server = engine === "postgres" ? await startPostgres() : null;
    const env = server ? { DATABASE_URL: `${server.url}/postgres` } : {};
    await using tandem = await startTandem(engine, { now, env });
    await using other = await startTandem(engine, { now, alongside: tandem });
    const ada = await tandem.as.human("ada");
    const bob = await tandem.as.human("bob");
    const admin = await tandem.as.human("watch");
    await makeAdmin(tandem.storage, admin);
    const key = await tandem.as.key(undefined, ada);
    const agent = await tandem.as.agent(bob);
    const callers: Caller[] = [tandem.as.anonymous(), ada, bob, admin, key, agent];
    for (const who of [ada, bob, key, agent]) await who.createPost({ title: "First" });
    const { posts } = await ada.listPosts();
    const comments: number[] = [];
    for (const { id } of posts)
      for (const who of [ada, bob, agent])
        comments.push((await who.createComment({ id, body: `A comment on ${id}` })).comment.id);
    let asked = 0;
    let known = 0;

    keepNothing(other);

    const ask = async (who: Caller, path: string, manner: Record<string, string>, of = tandem) => {
      const response = await sendRequest(of.baseUrl, { path, headers: { ...headersOf(who), ...manner } });
      const headers: Record<string, string | undefined> = Object.fromEntries(response.headers);
      // Each response's own.
      for (const own of ["date", "x-request-id", "keep-alive"]) delete headers[own];
      return {
        status: response.status,
        body: response.text.replaceAll(of.baseUrl, tandem.baseUrl),
        headers,
      };
    };
    // What announces a body takes the framework's way.
    const usual = { "content-length": "0" };
    const compare = async (who: Caller, path: string, manner: Record<string, string>, waits: boolean) => {
      asked += 1;
      const begin = waits ? vi.spyOn(Admission.prototype, "begin").mockReturnValue(false) : null;
      const first = await ask(who, path, manner);
      begin?.mockRestore();
      const conditional = { ...manner, "if-none-match": first.headers.etag ?? "" };
      const [second, unchanged] = [await ask(who, path, manner), await ask(who, path, conditional)];
      const again = await ask(who, path, { ...manner, ...usual });
      // The first may renew the session.
      const { "set-cookie": _, ...headers } = first.headers;
      expect({ ...first, headers }).toEqual(again);
      expect(second).toEqual(again);
      const { status, body } = await ask(who, path, usual, other);
      const plain = await ask(who, path, {});
      // Blanks between posts may differ.
      const parsed = (text: string) => (text === "" ? null : JSON.parse(text));
      expect([plain.status, parsed(plain.body)]).toEqual([status, parsed(body)]);
      expect(unchanged).toEqual(await ask(who, path, { ...conditional, ...usual }));
      if (again.status === 200) known += 1;
    };

    const step = fc.record({
      act: fc.constantFrom(...acts),
      who: fc.nat(callers.length - 1),
      post: fc.nat(9),
      elsewhere: fc.boolean(),
      /** Hours. */
      passes: fc.oneof(
        { arbitrary: fc.constant(0), weight: 4 },
        { arbitrary: fc.constantFrom(1, 30), weight: 1 },
      ),
      looks: fc.array(
        fc.record({
          who: fc.nat(callers.length - 1),
          path: fc.constantFrom(...paths),
          manner: fc.constantFrom(...manners),
          /** Whether it may not start at once. */
          waits: fc.boolean(),
        }),
        { minLength: 2, maxLength: 5 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 10 }), async (steps) => {
        for (const { act, who, post, elsewhere, passes, looks } of steps) {
          const id = posts[post % posts.length]?.id ?? 0;
          const compareAll = async () => {
            for (const look of looks)
              await compare(
                callers[look.who] as Caller,
                look.path.replace("$post", String(id)),
                look.manner,
                look.waits,
              );
          };
          await compareAll();
          const [name, input] = act;
          // One on that post: of the caller for half of them.
          const comment =
            comments[3 * (post % posts.length) + ((who + 2 + Math.floor(post / posts.length)) % 3)] ?? 0;
          const isForAdmin =
            name.includes("uspen") || name.startsWith("remove") || name.startsWith("restore");
          const caller = isForAdmin ? admin : (callers[who] as Caller);
          const through = elsewhere ? other.as.with(headersOf(caller)) : caller;
          // Many are refused, such as the edit of another's post.
          const in2Hours = new Date(now() + 2 * HOUR).toISOString();
          expect((await through.call(name, input(id, in2Hours, bob.user.id, comment))).status).toBeLessThan(
            500,
          );
          await compareAll();
          elapsed += passes * HOUR;
          if (passes > 0) await compareAll();
        }
      }),
      { numRuns: engine === "sqlite" ? 5 : 3 },
    );
    expect(known).toBeGreaterThan(asked / 3);
    expect(find.mock.results.filter(({ value }) => value !== undefined).length).toBeGreaterThan(asked);
  },
);

function headersOf({ options }: Caller): Record<string, string> {
  return options.key ? { authorization: `Bearer ${options.key}` } : (options.headers ?? {});
}
