import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("reports on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let admin: Person;
  let author: Person;
  let people: Person[];
  beforeAll(async () => {
    const env = {
      LIMIT_HOLDING_REPORTS: "3",
      LIMIT_HOLDING_ACCOUNT_DAYS: "0",
      LIMIT_HOLDING_FULL_WEIGHT_DAYS: "0",
    };
    tandem = await startTandem(engine, { env });
    [admin, author, ...people] = (await Promise.all(Array.from({ length: 8 }, () => tandem.as.human()))) as [
      Person,
      Person,
      ...Person[],
    ];
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  const reason = "Advertising";
  const anyReporter = () => people[0] as Person;
  const makePost = async (title: string) => (await author.createPost({ title })).post.id;
  const caseOf = async (id: number, state: "open" | "resolved" = "open") => {
    const { cases } = await admin.listCases({ state, limit: 50 });
    return cases.find(({ target }) => target.id === id && target.kind === "post");
  };

  once("require exactly one existing target that isn't the caller", async () => {
    const postId = await makePost("Mine");
    const own = { username: author.user.username };
    for (const [caller, input, expected] of [
      [anyReporter(), {}, "400 invalid_input postId"],
      [anyReporter(), { postId, ...own }, "400 invalid_input username"],
      [anyReporter(), { postId, commentId: 1 }, "400 invalid_input commentId"],
      [author, { postId }, "400 invalid_input postId"],
      [author, own, "400 invalid_input username"],
      [anyReporter(), { postId: 999_999 }, "404 not_found postId"],
      [anyReporter(), { username: "missing_account" }, "404 not_found username"],
    ] as const) {
      const { status, body } = await caller.call("createReport", { ...input, reason });
      expect(`${status} ${body.code} ${body.field}`).toBe(expected);
    }
  });

  once("and decisions quote the content warning of a post instead of its text", async () => {
    const warned = { title: "Plot", body: "He wakes.", contentWarning: "Spoilers" };
    const writer = await tandem.as.human();
    const postId = (await writer.createPost(warned)).post.id;
    await people[0]?.createReport({ postId, reason });
    expect((await caseOf(postId))?.target.excerpt).toBe("Plot · Spoilers");
    await admin.removePost({ id: postId, reason });
    const { decisions } = await writer.listDecisions();
    expect(decisions.find((decision) => decision.postId === postId)?.excerpt).toBe("Plot · Spoilers");
  });

  once("of one target form one case, and count once per reporter", async () => {
    const { post } = await author.createPost({ title: "Reported", body: "For what it says." });
    const postId = post.id;
    const [reporter, two] = people as [Person, Person];
    const first = await reporter.createReport({ postId, reason });
    expect(await reporter.createReport({ postId, reason: "Once more" })).toEqual(first);
    await two.editProfile({ displayName: "Two" });
    await two.createReport({ postId, reason: "Rude", note: "Very." });
    expect(await caseOf(postId)).toMatchObject({
      reportCount: 2,
      reasons: ["Rude", reason],
      notes: ["Very.", null],
      reporters: [two.user.username, reporter.user.username],
      reporterDisplayNames: ["Two", null],
      pastDecisions: [],
      held: false,
      target: {
        ...{ kind: "post", id: postId, postId, username: author.user.username },
        excerpt: "Reported · For what it says.",
      },
    });
    const { cases } = await admin.resolveReports({
      ids: [(await caseOf(postId))?.id ?? 0],
      action: "dismiss",
      reason: "Harmless",
    });
    expect(cases).toMatchObject([{ state: "resolved", outcome: "dismissed" }]);
    expect((await reporter.listReports({ limit: 1 })).reports).toMatchObject([
      { id: first.report.id, state: "resolved", outcome: "dismissed" },
    ]);
    // After a case is resolved, a new report opens another one.
    expect((await reporter.createReport({ postId, reason })).report.id).not.toBe(first.report.id);
    expect(await caseOf(postId)).toMatchObject({ reportCount: 1 });
  });

  test("by many people hold a post back until a moderator reviews it, and only once", async () => {
    const postId = await makePost("Held back");
    await Promise.all(people.slice(2, 5).map((person) => person.createReport({ postId, reason })));
    const { status } = await anyReporter().call("readPost", { id: postId });
    expect(status).toBe(404);
    const held = await caseOf(postId);
    expect(held).toMatchObject({ held: true, reportCount: 3 });
    const [decision] = (await author.listDecisions({ limit: 1 })).decisions;
    expect(decision).toMatchObject({ act: "hold_post", automated: true, postId, strike: false });
    expect((await admin.listAudit({ target: `post:${postId}` })).entries).toMatchObject([
      { act: "hold", actor: "(service)" },
    ]);
    await admin.resolveReports({ ids: [held?.id ?? 0], action: "dismiss", reason: "Harmless" });
    expect((await anyReporter().readPost({ id: postId })).post.title).toBe("Held back");
    await Promise.all(people.slice(2, 6).map((person) => person.createReport({ postId, reason })));
    expect((await anyReporter().readPost({ id: postId })).post.id).toBe(postId);
  });

  once("are resolved together: by removal, by suspension, or because the target is gone", async () => {
    const ids = await Promise.all(["A", "B", "C"].map(makePost));
    for (const postId of ids) await anyReporter().createReport({ postId, reason });
    await author.deletePost({ id: ids[2] as number });
    const cases = (await admin.listCases({ limit: 50, kind: "post" })).cases.filter(({ target }) =>
      ids.includes(target.id),
    );
    const [gone] = cases;
    expect(gone?.target.excerpt).toBe(null);
    const settled = await admin.resolveReports({ ids: cases.map(({ id }) => id), action: "remove", reason });
    expect(settled.cases.map(({ outcome }) => outcome)).toEqual(["removed", "removed", "gone"]);
    const again = await admin.resolveReports({ ids: cases.map(({ id }) => id), action: "dismiss", reason });
    expect(again).toEqual(settled);
    const { status } = await admin.call("resolveReports", { ids: [999_999], action: "dismiss", reason });
    expect(status).toBe(404);
  });

  test("are resolved once if two admins act concurrently", async () => {
    const second = await tandem.as.human();
    await makeAdmin(tandem.storage, second);
    const posts = await Promise.all(["D", "E", "F", "G"].map(makePost));
    for (const postId of posts) await anyReporter().createReport({ postId, reason });
    const { cases } = await admin.listCases({ limit: 4 });
    const ids = cases.map(({ id }) => id);
    const before = (await author.listDecisions({ limit: 1 })).decisions[0]?.id ?? 0;
    const responses = await Promise.all([
      admin.call("resolveReports", { ids, action: "remove", reason }),
      second.call("resolveReports", { ids: ids.toReversed(), action: "remove", reason }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { decisions } = await author.listDecisions({ limit: 50 });
    expect(decisions.filter(({ id }) => id > before).length).toBe(posts.length);
  });
});
