import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("removals of profiles' pictures", () => {
  let tandem: Tandem;
  let admin: Person;
  let picture: Blob;
  beforeAll(async () => {
    tandem = await startTandem();
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    picture = new Blob([new Uint8Array(await drawPicture())]);
  });
  afterAll(() => tandem.stop());

  const reason = "Hateful symbol";
  const profileOf = async ({ user }: Person) =>
    (await admin.readCreator({ platform: "native", author: user.username })).creator;
  const fileStatus = async (path: string) => (await fetch(new URL(path, tandem.baseUrl))).status;

  /** Each number of days is read once a minute. */
  const countedIn = async (days: number) =>
    (await admin.readTransparency({ days })).transparency.totals.removals.pictures;

  test("delete the file, and leave the rest", async () => {
    const ada = await tandem.as.human();
    const { id } = ada.user;
    await ada.setAvatar({ image: picture });
    await ada.setBanner({ image: picture });
    const { post } = await ada.createPost({ title: "On engines" });
    const { avatarUrl, bannerUrl } = await profileOf(ada);
    expect((await admin.readAccount({ id })).user).toMatchObject({ avatarUrl, bannerUrl, displayName: null });
    expect((await ada.readPost({ id: post.id })).post.authorAvatarUrl).toBe(avatarUrl);

    const { decision } = await admin.removeProfilePicture({ id, picture: "avatar", reason });
    expect(decision).toMatchObject({
      ...{ act: "remove_avatar", username: ada.user.username, reason, strike: true, stands: true },
      ...{ postId: null, automated: false, until: null },
    });
    expect(await profileOf(ada)).toMatchObject({ avatarUrl: null, bannerUrl });
    // On posts, too.
    expect((await ada.readPost({ id: post.id })).post.authorAvatarUrl).toBe(null);
    await tandem.services.afterResponse.idle();
    expect(await fileStatus(String(avatarUrl))).toBe(404);
    expect(await fileStatus(String(bannerUrl))).toBe(200);

    await admin.removeProfilePicture({ id, picture: "banner", reason });
    expect((await profileOf(ada)).bannerUrl).toBe(null);
    const again = await admin.call("removeProfilePicture", { id, picture: "banner", reason });
    expect([again.status, again.body.error]).toEqual([404, "This account has no banner."]);
    const nobody = await admin.call("removeProfilePicture", { id: 999_999, picture: "banner", reason });
    expect([nobody.status, nobody.body.error]).toEqual([404, "There is no such account."]);
    // The person can choose others.
    await ada.setBanner({ image: picture });
    expect((await profileOf(ada)).bannerUrl).not.toBe(null);
  });

  test("are notified, logged, counted and can be appealed; the strike ends with the appeal", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await agent.setAvatar({ image: picture });
    const { id, username } = agent.agent;
    const before = await countedIn(1);
    const { decision } = await admin.removeProfilePicture({ id, picture: "avatar", reason });
    for (const caller of [ada, agent])
      expect((await caller.listNotifications()).notifications[0]).toMatchObject({
        ...{ type: "moderation", decisionId: decision.id, actor: { username } },
      });
    const [entry] = (await admin.listAudit({ limit: 1 })).entries;
    expect(entry).toMatchObject({
      ...{ actor: admin.user.username, act: "removeProfilePicture", target: `user:${id}` },
      detail: JSON.stringify({ id, picture: "avatar", reason }),
    });
    expect((await countedIn(2)) - before).toBe(1);
    expect((await admin.readAccount({ id })).user.strikesEndAt).not.toBe(null);

    await ada.createAppeal({ decisionId: decision.id, text: "It is a sign of luck." });
    const { decision: answered } = await admin.answerAppeal({
      id: decision.id,
      accept: true,
      answer: "True.",
    });
    expect(answered).toMatchObject({ stands: false, appeal: { state: "accepted" } });
    expect((await admin.readAccount({ id })).user.strikesEndAt).toBe(null);
  });

  test("resolve the reports of an account, if they are chosen there", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { username, id } = ada.user;
    await ada.editProfile({ displayName: "Ada" });
    await ada.setBanner({ image: picture });
    await bob.createReport({ username, reason: "Hateful" });
    const open = async () =>
      (await admin.listCases({ kind: "account" })).cases.find(({ target }) => target.id === id);
    const reported = await open();
    expect(reported?.target).toMatchObject({
      ...{
        username,
        displayName: "Ada",
        isAgent: false,
        avatarUrl: null,
        bannerUrl: (await profileOf(ada)).bannerUrl,
      },
    });
    const ids = [Number(reported?.id)];
    const missing = await admin.call("resolveReports", { ids, action: "remove_avatar", reason });
    expect(missing).toMatchObject({
      status: 400,
      body: { field: "action", error: "This account has no avatar." },
    });
    expect((await open())?.state).toBe("open");
    const { cases } = await admin.resolveReports({ ids, action: "remove_banner", reason });
    expect(cases).toMatchObject([{ state: "resolved", outcome: "removed", target: { bannerUrl: null } }]);
    expect(cases[0]?.pastDecisions.map(({ act }) => act)).toEqual(["remove_banner"]);
    expect((await profileOf(ada)).bannerUrl).toBe(null);

    // A report of something else has no such picture. Removing one from the profile leaves reports open.
    const { post } = await ada.createPost({ title: "On engines" });
    await ada.setBanner({ image: picture });
    await bob.createReport({ postId: post.id, reason: "Hateful" });
    await bob.createReport({ username, reason: "Hateful" });
    const [again, onPost] = (await admin.listCases({ limit: 2 })).cases;
    const wrong = await admin.call("resolveReports", {
      ...{ ids: [onPost?.id], action: "remove_banner", reason },
    });
    expect(wrong).toMatchObject({ status: 400, body: { field: "action" } });
    await admin.removeProfilePicture({ id, picture: "banner", reason });
    expect((await open())?.id).toBe(again?.id);
  });

  test("are for admins", async () => {
    const ada = await tandem.as.human();
    const refused = await ada.call("removeProfilePicture", { id: ada.user.id, picture: "avatar", reason });
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
  });
});
