import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, Person } from "@tandem/testing/callers";
import { engines, manyConnections, startTandem, type Tandem } from "@tandem/testing/tandem";
import { blockWrites } from "@tandem/testing/write-lock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const CROWD = 300;
const all = <T>(callers: readonly Caller[], work: (caller: Caller, i: number) => Promise<T>) =>
  Promise.all(callers.map(work));
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const byNumber = (a: number, b: number) => a - b;

describe.each(engines)("concurrent engagement with one post on %s", (engine) => {
  let tandem: Tandem;
  let author: Person;
  let crowd: Caller[];
  beforeAll(async () => {
    tandem = await startTandem(engine, {
      env: { ...manyConnections, LIMIT_TIERS_PROBATION_ENGAGEMENT: "3" },
    });
    author = await tandem.as.human();
    crowd = (await addBulkUsers(tandem.storage, CROWD)).map(({ cookie }) => tandem.as.with({ cookie }));
  });
  afterAll(() => tandem.stop());

  const newPost = async () => (await author.createPost({ title: "Viral" })).post.id;
  const unread = async () => (await author.countNotifications()).unread;

  test("is counted completely, and each response has the count after its own call", async () => {
    const [id, before] = [await newPost(), await unread()];
    const likes = await all(crowd, (one) => one.likePost({ id }));
    expect(likes.map(({ likeCount }) => likeCount).toSorted(byNumber)).toEqual(upTo(CROWD));
    const views = await all(crowd, (one) => one.viewPost({ id }));
    expect(views.map(({ viewCount }) => viewCount).toSorted(byNumber)).toEqual(upTo(CROWD));
    const fickle = crowd.slice(0, CROWD / 3);
    const unlikes = await all(fickle, (one) => one.unlikePost({ id }));
    expect(unlikes.map(({ likeCount }) => likeCount).toSorted(byNumber)).toEqual(
      upTo(CROWD - 1).slice(-fickle.length),
    );
    const left = CROWD - fickle.length;
    expect((await author.readPost({ id })).post).toMatchObject({ likeCount: left, viewCount: CROWD });
    expect((await unread()) - before).toBe(left);
    const liked = await all(crowd, async (one) => (await one.readPost({ id })).post.liked);
    expect(liked).toEqual(crowd.map((_, i) => i >= fickle.length));
  });

  test("of likes and unlikes leaves what each caller did last", async () => {
    const [id, before] = [await newPost(), await unread()];
    await all(crowd, async (one, i) => {
      const calls = (["likePost", "unlikePost", "likePost"] as const).slice(i % 3);
      await Promise.all(calls.map((name) => one[name]({ id })));
      if (i % 2) await one.unlikePost({ id });
      else await one.likePost({ id });
    });
    expect((await author.readPost({ id })).post.likeCount).toBe(CROWD / 2);
    expect((await unread()) - before).toBe(CROWD / 2);
  });

  test("rejects only callers who have exhausted their quota", async () => {
    const keys = await Promise.all(upTo(5).map(() => tandem.as.key(["engagement:write"])));
    const id = await newPost();
    const calls = [...keys, ...keys, ...keys, ...keys, ...crowd.slice(0, 50)];
    const responses = await all(calls, (one) => one.call("viewPost", { id }));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body.code)).toEqual(keys.map(() => "rate_limited"));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(calls.length - keys.length);
    expect((await author.readPost({ id })).post.viewCount).toBe(calls.length - keys.length);
    for (const key of keys) expect((await key.readOwnKey()).remaining.engagement).toBe(0);
  });

  test("with dry runs, replays and reused Idempotency-Keys doesn't affect other calls", async () => {
    const [id, other] = [await newPost(), await newPost()];
    const used = { idempotencyKey: "used" };
    await all(crowd.slice(0, 20), (one) => one.likePost({ id: other }, used));
    const responses = await all(crowd, (one, i) => {
      if (i < 20) return one.call("likePost", { id }, used);
      if (i < 40) return one.call("likePost", { id }, { dryRun: true });
      return one.call("likePost", { id }, { idempotencyKey: "once" });
    });
    expect(responses.map(({ status }) => status)).toEqual(crowd.map((_, i) => (i < 20 ? 422 : 200)));
    expect((await author.readPost({ id })).post.likeCount).toBe(CROWD - 40);
    const again = await all(crowd.slice(40), (one) =>
      one.call("likePost", { id }, { idempotencyKey: "once" }),
    );
    expect(again.map(({ headers }) => headers.get("idempotency-replayed"))).toEqual(again.map(() => "true"));
    expect(again.map(({ body }) => body)).toEqual(responses.slice(40).map(({ body }) => body));
  });

  test("counts a like by a key and a session of one account once", async () => {
    const person = await tandem.as.human();
    const key = await tandem.as.key(["engagement:write"], person);
    const id = await newPost();
    await all([...crowd.slice(0, 10), person, key], (one) => one.likePost({ id }));
    expect((await author.readPost({ id })).post.likeCount).toBe(11);
  });

  test("returns 404 for calls after the post is deleted", async () => {
    const id = await newPost();
    const responses = all(crowd, (one) => one.call("likePost", { id }));
    await author.deletePost({ id });
    for (const { status } of await responses) expect([200, 404]).toContain(status);
    expect((await author.call("likePost", { id })).status).toBe(404);
  });

  test("replays a recorded response, even if the batch's other calls get a 404", async () => {
    const id = await newPost();
    const [first, ...others] = crowd.slice(0, 10) as [Caller, ...Caller[]];
    const once = { idempotencyKey: "stands" };
    await first.likePost({ id }, once);
    await author.deletePost({ id });
    const held = await blockWrites(tandem.storage);
    const [replay, ...rest] = [
      ...others.map((one) => one.call("likePost", { id })),
      first.call("likePost", { id }, once),
    ].toReversed();
    await held.release();
    const response = await replay;
    expect([response?.status, response?.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    for (const { status } of await Promise.all(rest)) expect(status).toBe(404);
  });

  test("isn't delayed by one caller's many calls, and none beyond the quota counts", async () => {
    const key = await tandem.as.key(["engagement:write"]);
    const id = await newPost();
    const flood = Promise.all(upTo(500).map(() => key.call("viewPost", { id })));
    const others = await all(crowd.slice(0, 20), (one) => one.call("viewPost", { id }));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    const statuses = (await flood).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect((await author.readPost({ id })).post.viewCount).toBe(23);
    expect((await key.readOwnKey()).remaining.engagement).toBe(0);
  });

  test("keeps the unread count equal to the unread notifications while they are being read", async () => {
    const reader = await tandem.as.human();
    const { id } = (await reader.createPost({ title: "Read meanwhile" })).post;
    const few = crowd.slice(0, 20);
    for (const name of ["likePost", "unlikePost", "likePost"] as const) {
      const reading = all(few, () => reader.markNotificationsRead());
      await all(few, (one, i) => one.call(i % 2 ? name : "likePost", { id }));
      await reading;
      const { notifications, unread } = await reader.listNotifications();
      expect(notifications.filter(({ read }) => !read)).toHaveLength(unread);
    }
  });
});
