import { understandPosts } from "@tandem/server/features/similar/understand-posts";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("the admin pages", () => {
  let tandem: Tandem;
  let admin: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    admin = await tandem.as.human("warden");
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  test("resolve several reports in one step, and give the authors the reason", async () => {
    const spammer = await tandem.as.human("spammer");
    const reader = await tandem.as.human();
    const key = await tandem.as.key(undefined, spammer);
    const byKey = "AI-generated, verified by Tandem";
    for (const title of ["Buy now", "Buy more"]) {
      const { post } = await key.createPost({ title });
      await reader.createReport({ postId: post.id, reason: "Advertising" });
    }
    await using visitor = await visit(tandem, admin);
    const { page } = visitor;
    await visitor.open("/admin/reports");
    await page.getByLabel("Select Buy now").check();
    await page.getByLabel("Select Buy more").check();
    await page.getByText("2 selected").waitFor();
    expect(await page.getByRole("listitem").getByTitle(byKey).count()).toBe(2);
    await page.getByText(`1 report, by @${reader.user.username}`).first().waitFor();
    const removeSelected = page.getByRole("button", { name: "Remove", exact: true });
    await removeSelected.click();
    await page.getByLabel("Reason").fill("Advertising, again.");
    await page.keyboard.press("Escape");
    await removeSelected.click();
    expect(await page.getByLabel("Reason").inputValue()).toBe("Advertising, again.");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("2 cases resolved.").waitFor();
    await page.getByText("No reports").waitFor();
    expect((await reader.listPosts({ author: "spammer" })).posts).toEqual([]);
    const [decision] = (await spammer.listDecisions()).decisions;
    expect(decision).toMatchObject({ act: "remove_post", reason: "Advertising, again." });
    // A row shows what the author did before, and has the buttons itself.
    const { post } = await spammer.createPost({ title: "Buy most" });
    await reader.createReport({ postId: post.id, reason: "Advertising", note: "Once again." });
    await page.reload();
    await page.getByText("Once again.").waitFor();
    await page.getByRole("button", { name: "Suspend: Buy most" }).click();
    await page.getByRole("dialog", { name: "Suspend @spammer?" }).waitFor();
    // A dialog begins in its first field.
    await expect
      .poll(() => page.getByLabel("Reason").evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.press("Escape");
    await page.getByText("Past decisions about the author: Post removed").waitFor();
    await page.getByRole("button", { name: "Dismiss: Buy most" }).click();
    await page.getByRole("dialog", { name: "Dismiss this report?" }).getByText("Post Buy most").waitFor();
    await page.getByRole("dialog").getByText("(required)").waitFor();
    await page.getByLabel("Reason").fill("Fine.");
    await page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("No reports").waitFor();
    await spammer.createAppeal({ decisionId: decision?.id ?? 0, text: "It was a joke." });
    await page.getByRole("link", { name: "Appeals" }).click();
    await page.getByText("It was a joke.").waitFor();
    await page.getByRole("blockquote").getByTitle(byKey).waitFor();
    await page.getByLabel("Your answer").fill("So it was.");
    await page.getByRole("button", { name: "Overturn" }).click();
    await page.getByText("No appeals").waitFor();
    expect((await reader.listPosts({ author: "spammer" })).posts).toHaveLength(2);
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByText("answered the appeal").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("find and suspend an account, and set a key's tier, on a phone", async () => {
    const person = await tandem.as.human("zz_target");
    const key = await tandem.as.key(["posts:write"], person);
    await using visitor = await visit(tandem, admin, phone);
    const { page } = visitor;
    await visitor.open("/admin/users");
    await page.getByLabel("Username starts with").fill("zz_");
    await page.getByLabel("Username starts with").press("Enter");
    await page.getByRole("link", { name: "@zz_target" }).click();
    await page.getByLabel("Tier").selectOption("Trusted");
    await expect.poll(async () => (await person.readKey({ id: key.keyId })).tier).toBe("trusted");
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByLabel("Reason").fill("Enough.");
    await page.getByLabel("Duration").selectOption("1 day");
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await page.getByText("Suspended until").waitFor();
    expect((await key.call("createPost", { title: "No" })).body).toMatchObject({ code: "suspended" });
    await page.getByRole("button", { name: "Lift suspension" }).click();
    await page.getByText("Suspended until").waitFor({ state: "detached" });
    expect((await key.call("createPost", { title: "Yes" })).status).toBe(200);
    await page.getByRole("link", { name: "Profile and posts" }).click();
    await page.waitForURL("**/creators/native/zz_target");
    await visitor.open("/admin/audit");
    await page.getByRole("listitem").filter({ hasText: "lifted the suspension of" }).first().waitFor();
  });

  test("remove an account's picture and banner, from its reports, its page and its profile", async () => {
    const [person, reader] = [await tandem.as.human("zz_pictures"), await tandem.as.human()];
    await person.editProfile({ displayName: "Zed" });
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const reset = async () => {
      await person.setAvatar({ image });
      await person.setBanner({ image });
    };
    await reset();
    await reader.createReport({ username: "zz_pictures", reason: "Hateful" });
    await using visitor = await visit(tandem, admin);
    const { page } = visitor;
    const confirm = async (action: string) => {
      await page.getByLabel("Reason").fill("Hateful.");
      await page.getByRole("dialog").getByRole("button", { name: action }).click();
    };
    await visitor.open("/admin/reports?kind=account");
    await page.getByRole("link", { name: "Zed @zz_pictures" }).waitFor();
    await page.getByRole("button", { name: "Remove banner: Zed (@zz_pictures)" }).click();
    await confirm("Remove banner");
    await page.getByText("1 case resolved.").waitFor();
    const creator = async () =>
      (await reader.readCreator({ platform: "native", author: "zz_pictures" })).creator;
    expect(await creator()).toMatchObject({ avatarUrl: expect.any(String), bannerUrl: null });

    await visitor.open("/admin/users?q=zz_pictures");
    await page.getByRole("link", { name: "Zed @zz_pictures" }).click();
    await page.getByText("Banner removed").waitFor();
    await page.getByRole("button", { name: "Remove picture" }).click();
    expect(await visitor.axeViolations()).toEqual([]);
    await confirm("Remove picture");
    await page.getByText("Profile picture removed").waitFor();
    expect((await creator()).avatarUrl).toBe(null);

    await reset();
    await visitor.open("/creators/native/zz_pictures");
    await page.getByRole("button", { name: "More options for this account" }).click();
    await page.getByRole("menuitem", { name: "Remove banner" }).click();
    await page.getByRole("dialog", { name: "Remove the banner of Zed (@zz_pictures)?" }).waitFor();
    await confirm("Remove banner");
    await page.getByText("Picture removed.").waitFor();
    expect((await creator()).bannerUrl).toBe(null);
    await page.getByRole("button", { name: "More options for this account" }).click();
    await page.getByRole("menuitem", { name: "Remove picture" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Remove banner" }).count()).toBe(0);
    await page.getByRole("menuitem", { name: "Manage account" }).click();
    await page.getByRole("link", { name: "Zed @zz_pictures" }).waitFor();
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByText("removed a picture from the profile of").first().waitFor();

    await using theirs = await visit(tandem, person);
    await theirs.open("/notifications");
    await theirs.page.getByRole("link", { name: "Moderators removed your banner" }).first().waitFor();
    await theirs.open("/standing");
    await theirs.page.getByRole("heading", { name: "Profile picture removed" }).waitFor();
    expect([...visitor.browserErrors, ...theirs.browserErrors]).toEqual([]);
  });

  test("list posts by agents that nearly repeat an earlier one", async () => {
    await using own = await startTandem("sqlite", { env: { SIMILAR_POSTS: "1" } });
    const warden = await own.as.human();
    await makeAdmin(own.storage, warden);
    await warden.createPost({ title: "Trade currencies and earn more" });
    await (await own.as.agent(warden, "echo_bot")).createPost({ title: "Trade currencies and earn more" });
    await using visitor = await visit(own, warden);
    const { page } = visitor;
    await visitor.open("/admin/repeats");
    await page.getByText("No repeated posts").waitFor();
    await understandPosts(own.services, new AbortController().signal);
    await page.reload();
    await page.getByText("100% like this earlier post:").waitFor();
    await page.getByRole("link", { name: "@echo_bot" }).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("block and unblock a domain, and explain why a source can't be added", async () => {
    await using visitor = await visit(tandem, admin);
    const { page } = visitor;
    await visitor.open("/admin/links");
    await page.getByLabel("Domain", { exact: true }).fill("spam.example");
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("button", { name: "Unblock spam.example" }).click();
    await page.getByText("No blocked domains").waitFor();
    await page.getByRole("link", { name: "Sources" }).click();
    await page.getByLabel("Address", { exact: true }).fill("http://127.0.0.1:9/feed.xml");
    await page.getByRole("button", { name: "Add" }).click();
    await page.locator("[aria-invalid]").waitFor();
    expect(await page.getByLabel("Address", { exact: true }).inputValue()).toContain("127.0.0.1");
    const buffer = Buffer.from(
      '<opml version="2.0"><body><outline text="Looms" xmlUrl="https://looms.example/feed"/><outline text="Mail" xmlUrl="mailto:a@b.example"/></body></opml>',
    );
    await page.getByLabel("Import OPML").setInputFiles({ name: "x.opml", mimeType: "text/x-opml", buffer });
    await page.getByText("1 of 2 sources added").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Name or community starts with").fill("loo");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/sources?q=loo");
    await page.getByRole("link", { name: "Looms" }).click();
    await page.getByText("No visits yet").waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).waitFor();
  });

  test("write, keep unsaved, and remove the site's pages", async () => {
    await using visitor = await visit(tandem, admin);
    const { page } = visitor;
    await visitor.open("/admin/pages");
    const rules = page.getByLabel("Rules", { exact: true });
    const form = page.locator("form", { has: rules });
    await rules.fill("Be kind.");
    await visitor.open("/admin/pages");
    await expect.poll(() => rules.inputValue()).toBe("Be kind.");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Saved.").waitFor();
    await form.getByRole("link", { name: "View page" }).click();
    await page.getByText("Be kind.").waitFor();
    await page.goBack();
    await rules.fill("");
    await form.getByRole("button", { name: "Remove page" }).click();
    await form.getByRole("link", { name: "View page" }).waitFor({ state: "detached" });
    expect((await admin.listSitePages()).pages).toEqual([]);
  });

  test("are for admins only, and visitors can log in as one", async () => {
    await using visitor = await visit(tandem, await tandem.as.human());
    await visitor.open("/admin/audit");
    await visitor.page.getByText("This page is for admins only").waitFor();
    await using stranger = await visit(tandem);
    await stranger.open("/admin/audit");
    const logIn = stranger.page.getByRole("main").getByRole("link", { name: "Log in" });
    expect(await logIn.getAttribute("href")).toBe("/login?next=%2Fadmin%2Faudit");
  });
});
