import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { drawPicture } from "@tandem/testing/pictures";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const reason = "Pretends to be the service";

describe.each(engines)("reports of communities on %s", (engine) => {
  let tandem: Tandem;
  let admin: Person;
  let owner: Person;
  let moderator: Person;
  let reporter: Person;
  beforeAll(async () => {
    const env = { LIMIT_HOLDING_REPORTS: "1", LIMIT_HOLDING_ACCOUNT_DAYS: "0" };
    tandem = await startTandem(engine, { env });
    const people = await Promise.all(Array.from({ length: 4 }, () => tandem.as.human()));
    [admin, owner, moderator, reporter] = people as [Person, Person, Person, Person];
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  async function makeCommunity(texts: { description?: string; rules?: string } = {}): Promise<string> {
    const name = communityName();
    await owner.createCommunity({ name, ...texts });
    await moderator.joinCommunity({ name });
    await owner.setCommunityRole({ name, username: moderator.user.username, role: "moderator" });
    return name;
  }

  async function report(name: string): Promise<number> {
    await reporter.createReport({ community: name.toUpperCase(), reason });
    const { cases } = await admin.listCases({ kind: "community", limit: 1 });
    return cases[0]?.id ?? 0;
  }

  test("reach admins, not the community's moderators, with its name, texts and owner", async () => {
    const name = await makeCommunity({ description: "Official support", rules: "Send your password." });
    const id = await report(name);
    const [found] = (await admin.listCases({ kind: "community" })).cases;
    expect(found).toMatchObject({
      ...{ id, forAdmins: true, community: null, held: false, reportCount: 1 },
      target: {
        ...{
          kind: "community",
          community: name,
          username: owner.user.username,
          postId: null,
          pictureUrl: null,
        },
        ...{ excerpt: "Official support · Send your password.", excerptProvenance: "human" },
      },
    });
    expect((await moderator.listCommunityCases({ name })).cases).toEqual([]);
    const { reports } = await reporter.listReports();
    expect(reports[0]?.target).toMatchObject({ kind: "community", community: name });
    const { cases } = await admin.resolveReports({ ids: [id], action: "dismiss", reason });
    expect(cases).toMatchObject([{ state: "resolved", outcome: "dismissed" }]);
    expect((await owner.readCommunity({ name })).community.closed).toBe(false);
  });

  test("need one that exists, that the caller doesn't own, and no other target", async () => {
    const name = await makeCommunity();
    for (const [caller, input, expected] of [
      [reporter, { community: communityName() }, "404 not_found community"],
      [owner, { community: name }, "400 invalid_input community"],
      [reporter, { community: name, username: owner.user.username }, "400 invalid_input community"],
      [moderator, { community: name }, "200 undefined undefined"],
    ] as const) {
      const { status, body } = await caller.call("createReport", { ...input, reason });
      expect(`${status} ${body.code} ${body.field}`).toBe(expected);
    }
  });

  test("let admins close it: the owner is told why, and an accepted appeal opens it again", async () => {
    const name = await makeCommunity();
    const ids = [await report(name)];
    const { cases } = await admin.resolveReports({ ids, action: "close", reason });
    expect(cases).toMatchObject([{ state: "resolved", outcome: "closed", target: { excerpt: name } }]);
    expect((await owner.readCommunity({ name })).community.closed).toBe(true);
    const [decision] = (await owner.listDecisions()).decisions;
    expect(decision).toMatchObject({
      ...{ act: "close_community", excerpt: name, reason, strike: false, stands: true, community: null },
    });
    const [told] = (await owner.listNotifications()).notifications;
    expect(told).toMatchObject({ type: "moderation", decisionId: decision?.id });
    const logged = (await admin.listAudit({ limit: 2 })).entries.find(({ act }) => act === "close");
    expect(logged).toMatchObject({ actor: admin.user.username, detail: JSON.stringify({ reason }) });
    const id = Number(decision?.id);
    await owner.createAppeal({ decisionId: id, text: "It is a joke." });
    await admin.answerAppeal({ id, accept: true, answer: "True." });
    expect((await owner.readCommunity({ name })).community.closed).toBe(false);
    expect((await owner.readDecision({ id })).decision.stands).toBe(false);

    // A community that its owner has left stays closed.
    const again = [await report(name)];
    await admin.resolveReports({ ids: again, action: "close", reason });
    const second = Number((await owner.listDecisions()).decisions[0]?.id);
    await owner.createAppeal({ decisionId: second, text: "It is still a joke." });
    await owner.leaveCommunity({ name });
    await admin.answerAppeal({ id: second, accept: true, answer: "True." });
    expect((await owner.readCommunity({ name })).community.closed).toBe(true);
  });

  test("let admins remove its picture, and do nothing that makes no sense for a community", async () => {
    const name = await makeCommunity();
    const ids = [await report(name)];
    for (const action of ["remove", "suspend", "remove_avatar", "remove_picture"] as const)
      expect(await admin.call("resolveReports", { ids, action, reason })).toMatchObject({
        ...{ status: 400, body: { code: "invalid_input", field: "action" } },
      });
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const { community } = await owner.setCommunityPicture({ name, image });
    const [shown] = (await admin.listCases({ kind: "community", limit: 1 })).cases;
    expect(shown?.target.pictureUrl).toBe(community.pictureUrl);
    const { cases } = await admin.resolveReports({ ids, action: "remove_picture", reason });
    expect(cases).toMatchObject([{ outcome: "removed", target: { pictureUrl: null } }]);
    expect((await owner.readCommunity({ name })).community.pictureUrl).toBe(null);
    expect((await owner.listDecisions()).decisions[0]).toMatchObject({
      ...{ act: "remove_community_picture", excerpt: name },
    });
    const { post } = await reporter.createPost({ title: "Hello" });
    await owner.createReport({ postId: post.id, reason });
    const [onPost] = (await admin.listCases({ kind: "post", limit: 1 })).cases;
    const wrong = await admin.call("resolveReports", { ids: [onPost?.id ?? 0], action: "close", reason });
    expect(wrong).toMatchObject({ status: 400, body: { field: "action" } });
  });
});
