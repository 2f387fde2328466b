import { DAY, MINUTE } from "@tandem/contract/durations";
import type { Input } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import type { Caller, CallResponse } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, manyConnections, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const WAVE = 50;

/** Each test reaches only the limit that it is about. */
const env = {
  LIMIT_TIERS_PROBATION_POSTS: "7",
  LIMIT_TIERS_PROBATION_COMMENTS: "11",
  LIMIT_TIERS_PROBATION_ENGAGEMENT: "13",
  LIMIT_TIERS_PROBATION_WRITES: "40",
  LIMIT_SESSION_WRITES_PER_MINUTE: "300",
};

describe.each(engines)("quotas on %s", (engine) => {
  const once = testOnce(engine);
  const clock = stoppedClock();
  let tandem: Tandem;
  let person: Caller;
  let postId: number;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: { ...env, ...manyConnections }, now: clock.now });
    person = await tandem.as.human();
    postId = (await person.createPost({ title: "To be liked" })).post.id;
  });
  afterAll(() => tandem.stop());

  const key = () => tandem.as.key();
  /** In waves: a busy machine would return 503 to some if all were sent together. */
  const many = async <N extends OperationName>(
    count: number,
    caller: Caller,
    name: N,
    input: Input<Operations[N]>,
  ): Promise<CallResponse[]> => {
    const responses: CallResponse[] = [];
    while (responses.length < count) {
      const wave = Math.min(WAVE, count - responses.length);
      responses.push(...(await Promise.all(Array.from({ length: wave }, () => caller.call(name, input)))));
    }
    return responses;
  };

  test.each([
    ["createPost", { title: "One of many" }, 7, null],
    ["createComment", { body: "One of many" }, 11, "commentCount"],
    ["viewPost", {}, 13, "viewCount"],
    ["likePost", {}, 13, null],
  ] as const)("accept exactly the daily limit of 200 concurrent %s", async (name, rest, limit, counter) => {
    const [caller, before] = await Promise.all([key(), person.readPost({ id: postId })]);
    const input = { ...rest, id: postId } as never;
    const responses = await many(200, caller, name, input);
    expect(tally(responses)).toEqual({ 200: limit, 429: 200 - limit });
    for (const { status, body, headers } of responses) {
      if (status === 200) continue;
      expect(body).toMatchObject({ error: expect.stringContaining(`${limit} `), code: "rate_limited" });
      expect(body.hint).toContain(`Retry in ${DAY / 1000} seconds.`);
      expect(Number(headers.get("retry-after"))).toBe(DAY / 1000);
    }
    const after = await person.readPost({ id: postId });
    if (counter) expect(after.post[counter] - before.post[counter]).toBe(limit);
    // The next window.
    clock.pass(DAY - 1);
    expect((await caller.call(name, input)).status).toBe(429);
    clock.pass(1);
    expect(tally(await many(30, caller, name, input))).toEqual({ 200: limit, 429: 30 - limit });
  });

  once("count every engagement and its undoing", async () => {
    const { post } = await person.createPost({ title: "To be engaged with" });
    const { comment } = await person.createComment({ id: post.id, body: "To be liked" });
    const reader = await key();
    const { id } = post;
    const calls: [OperationName, object][] = [
      ["likePost", { id }],
      ["likePost", { id }],
      ["unlikePost", { id }],
      ["savePost", { id }],
      ["unsavePost", { id }],
      ["viewPost", { id }],
      ["dismissPost", { id }],
      ["likeComment", { id: comment.id }],
      ["unlikeComment", { id: comment.id }],
      ["follow", { platform: "reddit", author: "ada" }],
      ["unfollow", { platform: "reddit", author: "ada" }],
    ];
    for (const [i, [name, input]] of calls.entries()) {
      expect((await reader.call(name, input)).status).toBe(200);
      expect((await reader.readOwnKey()).remaining).toEqual({
        posts: 7,
        comments: 11,
        engagement: 12 - i,
        writes: 39 - i,
      });
    }
  });

  test("accept exactly the limit per minute of 300 concurrent writes", async () => {
    const writer = await key();
    const calls = Array.from({ length: 300 }, (_, i) =>
      i % 2 ? writer.call("editProfile", { bio: `${i}` }) : writer.call("markNotificationsRead"),
    );
    const responses = await Promise.all(calls);
    expect(tally(responses)).toEqual({ 200: 40, 429: 260 });
    const refused = responses.filter(({ status }) => status === 429);
    expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["60"]));
    clock.pass(MINUTE - 1);
    expect((await writer.call("markNotificationsRead")).headers.get("retry-after")).toBe("1");
    clock.pass(1);
    expect((await writer.call("markNotificationsRead")).status).toBe(200);
  });

  test("start a window with its first write", async () => {
    const writer = await key();
    clock.pass(30_000);
    expect((await writer.call("markNotificationsRead")).headers.get("ratelimit-reset")).toBe("60");
    clock.pass(59_001);
    const last = await writer.call("markNotificationsRead");
    expect([last.headers.get("ratelimit-remaining"), last.headers.get("ratelimit-reset")]).toEqual([
      "38",
      "1",
    ]);
    clock.pass(999);
    const next = await writer.call("markNotificationsRead");
    expect([next.headers.get("ratelimit-remaining"), next.headers.get("ratelimit-reset")]).toEqual([
      "39",
      "60",
    ]);
  });

  once("don't count rejected calls", async () => {
    const writer = await key();
    const stranger = await tandem.as.human();
    const { post } = await stranger.createPost({ title: "Not yours" });
    const refused: [OperationName, object, number][] = [
      ["createPost", {}, 400],
      ["createPost", { title: "x", productIds: [9_999_999] }, 404],
      ["likePost", { id: 9_999_999 }, 404],
      ["editPost", { id: post.id, title: "Mine" }, 403],
      ["mintKey", {}, 403],
      ["createComment", { id: post.id, body: "x", parentId: 9_999_999 }, 400],
    ];
    for (const [name, input, status] of refused) {
      const response = await writer.call(name, input);
      expect([name, response.status]).toEqual([name, status]);
      expect([null, "40", "7", "11", "13"]).toContain(response.headers.get("ratelimit-remaining"));
    }
    const { remaining } = await writer.readOwnKey();
    expect(remaining).toEqual({ posts: 7, comments: 11, engagement: 13, writes: 40 });
  });

  once("don't apply to reads, which have no rate limit headers", async () => {
    const reader = await key();
    for (const name of ["listPosts", "me", "readOwnKey", "listNotifications"] as const) {
      const { headers } = await reader.call(name);
      expect([...headers.keys()].filter((header) => header.startsWith("ratelimit"))).toEqual([]);
    }
    expect((await reader.readOwnKey()).remaining.writes).toBe(40);
  });

  once("aren't charged by a dry run, which still gets a 429 beyond them", async () => {
    const writer = await key();
    const dry = () => writer.call("createPost", { title: "Maybe" }, { dryRun: true });
    const before = await Promise.all(Array.from({ length: 20 }, dry));
    expect(tally(before)).toEqual({ 200: 20 });
    expect((await writer.readOwnKey()).remaining.posts).toBe(7);
    await many(7, writer, "createPost", { title: "Indeed" });
    const refusal = await dry();
    expect([refusal.status, refusal.body.code]).toEqual([429, "rate_limited"]);
    expect(refusal.headers.get("retry-after")).toBe(String(DAY / 1000));
  });

  test("are counted for all keys of an account together, but not with its session", async () => {
    const human = await tandem.as.human();
    const [one, other] = await Promise.all([
      tandem.as.key(undefined, human),
      tandem.as.key(undefined, human),
    ]);
    const responses = await Promise.all(
      [one, other].map((key) => many(7, key, "createPost", { title: "Mine" })),
    );
    expect(tally(responses.flat())).toEqual({ 200: 7, 429: 7 });
    expect((await human.call("createPost", { title: "And mine" })).status).toBe(200);
    expect((await other.readOwnKey()).remaining.posts).toBe(0);
  });

  once("are separate and higher for a session", async () => {
    const human = await tandem.as.human();
    clock.pass(MINUTE);
    const responses = await many(350, human, "createPost", { title: "By hand" });
    expect(tally(responses)).toEqual({ 200: 300, 429: 50 });
    const refusal = responses.find(({ status }) => status === 429);
    expect(Number(refusal?.headers.get("retry-after"))).toBe(60);
    clock.pass(MINUTE);
    expect((await human.call("createPost", { title: "Again" })).status).toBe(200);
  });
});

function tally(responses: CallResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
