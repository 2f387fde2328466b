import { makeAdmin } from "@tandem/testing/admins";
import { communityName } from "@tandem/testing/communities";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("communities", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("can all be chosen in the composer, however many someone joined", async () => {
    const [ada, bob, reader] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const names = Array.from({ length: 26 }, () => communityName());
    for (const [i, name] of names.entries()) await (i % 2 === 0 ? ada : bob).createCommunity({ name });
    for (const name of names.slice(0, 25)) await reader.joinCommunity({ name });
    await using visitor = await visit(tandem, reader);
    await visitor.open("/compose");
    const options = visitor.page.getByRole("combobox", { name: "Community" }).locator("option");
    // One is for no community.
    await expect.poll(() => options.count()).toBe(1 + 25);
  });

  test("are created, found, joined and posted into", async () => {
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    await using owner = await visit(tandem, ada);
    await owner.open("/communities");
    await owner.page.getByRole("link", { name: "Create community" }).click();
    await owner.page.getByLabel("Name").fill("Weaving here");
    await owner.page.getByLabel("Description").fill("Looms, **yarns** and patterns.");
    await owner.page.getByLabel("Rules").fill("- Show your work.");
    await owner.page.getByLabel("Picture").setInputFiles({
      ...{ name: "loom.jpg", mimeType: "image/jpeg", buffer: await drawPicture() },
    });
    await owner.page.getByText("loom.jpg").waitFor();
    await owner.page.getByRole("button", { name: "Create community" }).click();
    await owner.page.getByText("Use only letters from a to z, digits and _").waitFor();
    await owner.page.getByLabel("Name").fill("Weaving");
    await owner.page.getByRole("radio", { name: "People only" }).check();
    await owner.page.getByRole("button", { name: "Create community" }).click();
    await owner.page.getByRole("heading", { name: "weaving", level: 1 }).waitFor();
    await owner.page.getByRole("main").getByText("Looms, yarns and patterns.").waitFor();
    await owner.page.getByRole("listitem").getByText("Show your work.").waitFor();
    expect((await ada.readCommunity({ name: "weaving" })).community.pictureUrl).not.toBeNull();
    await owner.open("/communities");
    await owner.page.getByRole("link", { name: "On Tandem" }).click();
    await owner.page.waitForURL("**/communities?platform=native");
    const row = owner.page.getByRole("listitem").filter({ hasText: "weaving" });
    await row.getByText("Looms, yarns and patterns.").waitFor();
    for (const label of ["People only (no AI)", "Owner"]) await row.getByText(label).waitFor();
    expect(await owner.axeViolations()).toEqual([]);

    await using visitor = await visit(tandem, bob, phone);
    const { page } = visitor;
    await visitor.open("/communities?q=wea");
    await page.getByRole("main").getByRole("link", { name: "weaving" }).click();
    await page.getByText("No posts yet").waitFor();
    await page.getByText("About this community").click();
    await page.getByText("People only (no AI)").waitFor();
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByText("2 members").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Post here" }).click();
    await expect.poll(() => page.getByRole("combobox", { name: "Community" }).inputValue()).toBe("weaving");
    await page.getByRole("textbox", { name: "Text" }).fill("On heddles");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.getByRole("heading", { name: "On heddles" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "weaving" }).click();
    await page.getByRole("feed", { name: "weaving" }).getByText("On heddles").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByText("1 member", { exact: true }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("are edited and closed by their owner, who approves agents and appoints moderators", async () => {
    const [eve, carl] = [await tandem.as.human("eve"), await tandem.as.human("carl")];
    const agent = await tandem.as.agent(carl, "carl_bot");
    await eve.createCommunity({ name: "spinning", aiPolicy: "approved_agents" });
    for (const caller of [carl, agent]) await caller.joinCommunity({ name: "spinning" });
    await using visitor = await visit(tandem, eve);
    const { page } = visitor;
    await visitor.open("/c/spinning");
    await page.getByRole("main").getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Make moderator" }).click();
    await page.getByRole("button", { name: "Remove as moderator" }).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("listitem").getByText("Approved agent").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    expect((await agent.createPost({ title: "Spun", community: "spinning" })).post.community).toBe(
      "spinning",
    );

    await visitor.open("/c/spinning/edit");
    await page.getByLabel("Rules").fill("Be kind.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Community saved").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Close community" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close community" }).click();
    await page.getByText("This community is closed").first().waitFor();
    const { community } = await eve.readCommunity({ name: "spinning" });
    expect(community).toMatchObject({ closed: true, rules: "Be kind." });
  });

  test("are handed over by their owner, and left once they are closed", async () => {
    const [owner, heir] = [await tandem.as.human(), await tandem.as.human("the_heir")];
    const [name, closed] = [communityName(), communityName()];
    for (const each of [name, closed]) await owner.createCommunity({ name: each });
    await heir.joinCommunity({ name });
    await owner.setCommunityRole({ name, username: "the_heir", role: "moderator" });
    await owner.closeCommunity({ name: closed });
    await using visitor = await visit(tandem, owner, phone);
    const { page } = visitor;
    await visitor.open(`/c/${name}/edit`);
    await page.getByText("To leave, first make a moderator the owner").waitFor();
    await visitor.open(`/c/${name}/members`);
    await page.getByRole("button", { name: "Make owner: @the_heir" }).click();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Make owner" }).click();
    await page.getByText("the_heir is now the owner").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "@the_heir" })
      .getByText("Owner", { exact: true })
      .waitFor();
    expect((await owner.readCommunity({ name })).community.role).toBe("moderator");
    const [told] = (await heir.listNotifications()).notifications;
    expect(told).toMatchObject({ type: "community_owner", community: name });

    await visitor.open(`/c/${closed}`);
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByText("0 members").waitFor();
    expect((await owner.readCommunity({ name: closed })).community.role).toBe("visitor");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("keep what others changed while a form was open", async () => {
    const [owner, moderator] = [await tandem.as.human(), await tandem.as.human()];
    const name = communityName();
    await owner.createCommunity({ name, description: "Looms", rules: "Be kind.", aiPolicy: "marked" });
    await moderator.joinCommunity({ name });
    await owner.setCommunityRole({ name, username: moderator.user.username, role: "moderator" });
    await using visitor = await visit(tandem, owner);
    const { page } = visitor;
    await visitor.open(`/c/${name}/edit`);
    await moderator.editCommunity({ name, rules: "Be very kind.", aiPolicy: "people_only" });
    const save = async (field: string, text: string) => {
      const sent = page.waitForRequest((request) => request.method() === "PATCH");
      await page.getByLabel(field).fill(text);
      await page.getByRole("button", { name: "Save" }).click();
      return (await sent).postDataJSON();
    };
    expect(await save("Description", "Looms and yarns")).toEqual({ description: "Looms and yarns" });
    await page.getByText("Community saved").first().waitFor();
    expect((await owner.readCommunity({ name })).community).toMatchObject({
      ...{ description: "Looms and yarns", rules: "Be very kind.", aiPolicy: "people_only" },
    });
    expect(await save("Rules", "Be kind, all.")).toEqual({ rules: "Be kind, all." });
  });

  test("are reported by readers, and closed by admins, who tell the owner why", async () => {
    const [owner, reader, admin] = [
      await tandem.as.human(),
      await tandem.as.human(),
      await tandem.as.human(),
    ];
    await makeAdmin(tandem.storage, admin);
    const name = communityName();
    await owner.createCommunity({ name, description: "Official support" });
    await using visitor = await visit(tandem, reader, phone);
    await visitor.open(`/c/${name}`);
    await visitor.page.getByRole("main").getByRole("button", { name: "Report" }).click();
    await visitor.page
      .getByText("The site’s admins will review it, not the community’s moderators.")
      .waitFor();
    await visitor.page.getByRole("radio", { name: "Impersonation" }).check();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.page.getByRole("button", { name: "Send report" }).click();
    await visitor.page.getByText("Thank you. The site’s admins will review your report.").waitFor();

    await using office = await visit(tandem, admin);
    const { page } = office;
    await office.open("/admin/reports?kind=community");
    const card = page.getByRole("listitem").filter({ hasText: "Official support" });
    expect(await card.getByRole("link", { name, exact: true }).getAttribute("href")).toBe(`/c/${name}`);
    expect(await card.getByRole("button", { name: /^Remove|^Suspend/ }).count()).toBe(0);
    expect(await office.axeViolations()).toEqual([]);
    await card.getByRole("button", { name: /^Close community/ }).click();
    await page.getByLabel("Reason").fill("It isn't official.");
    await page.getByRole("dialog").getByRole("button", { name: "Close community" }).click();
    await page.getByText("1 case resolved.").waitFor();
    await using home = await visit(tandem, owner);
    await home.open("/standing");
    await home.page.getByText("It isn't official.").waitFor();
    await home.page.getByText(name).first().waitFor();
    await home.open(`/c/${name}`);
    expect(await home.page.getByRole("button", { name: "Report" }).count()).toBe(0);
    for (const { browserErrors } of [visitor, office, home]) expect(browserErrors).toEqual([]);
  });

  test("are edited and closed by admins of the service, too", async () => {
    const [owner, admin] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    await owner.createCommunity({ name: "scams", description: "Earn money fast." });
    await using visitor = await visit(tandem, admin);
    const { page } = visitor;
    await visitor.open("/c/scams");
    await page.getByRole("link", { name: "Edit community" }).click();
    await page.getByRole("button", { name: "Close community" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close community" }).click();
    await page.getByText("This community is closed").first().waitFor();
    await page.getByRole("link", { name: "Edit community" }).click();
    await page.getByLabel("Description").fill("");
    expect(await page.getByRole("button", { name: "Close community" }).count()).toBe(0);
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Community saved").waitFor();
    expect((await owner.readCommunity({ name: "scams" })).community).toMatchObject({
      ...{ closed: true, description: null },
    });
  });

  test("are moderated: posts pinned, removed and restored, accounts banned and let back in", async () => {
    const [ida, max] = [await tandem.as.human("ida"), await tandem.as.human("max")];
    await ida.createCommunity({ name: "felting", rules: "No sales." });
    await max.joinCommunity({ name: "felting" });
    const provenance = "ai_assisted";
    const helped = "Written by a person with help from AI";
    await max.createPost({ title: "On wool", community: "felting" });
    await max.createPost({ title: "Buy my felt", community: "felting", provenance });
    await using visitor = await visit(tandem, ida);
    const { page } = visitor;
    await visitor.open("/c/felting");
    const menuOf = (title: string) =>
      page.getByRole("article").filter({ hasText: title }).first().getByRole("button", { name: /^More/ });
    await menuOf("On wool").click();
    await page.getByRole("menuitem", { name: "Pin in felting" }).click();
    await page.getByRole("region", { name: "Pinned" }).getByText("On wool").waitFor();
    await menuOf("Buy my felt").click();
    await page.getByRole("menuitem", { name: "Remove from felting" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("No sales here");
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed from felting.").waitFor();
    await page.getByText("Buy my felt").first().waitFor({ state: "detached" });

    const { post } = await max.createPost({ title: "On dyes", community: "felting", provenance });
    await using reader = await visit(tandem, await tandem.as.human("rob"), phone);
    await reader.open(`/posts/${post.id}`);
    // The reason can be chosen while the rules load, which the menu asks for already.
    let load = () => {};
    const loading = new Promise<void>((resolve) => {
      load = resolve;
    });
    const asked = reader.page.waitForRequest("**/api/communities/felting");
    await reader.page.route("**/api/communities/felting", async (route) => {
      await loading;
      await route.continue();
    });
    await reader.page.getByRole("button", { name: /^More/ }).first().click();
    await reader.page.getByRole("menuitem", { name: "Report" }).click();
    await reader.page.getByText("The moderators of felting will review it.").waitFor();
    await asked;
    await reader.page.getByLabel("Breaks the community’s rules").check();
    load();
    await reader.page.getByRole("dialog").getByText("No sales.").waitFor();
    expect(await reader.axeViolations()).toEqual([]);
    await reader.page.getByLabel("Also ask the site’s admins to review it").check();
    await reader.page.getByRole("button", { name: "Send report" }).click();
    await reader.page.getByText("Thank you.").waitFor();

    await page.getByRole("main").getByRole("link", { name: "Moderation" }).click();
    await page.getByText("The site’s admins will review it, too").waitFor();
    await page.getByText("Breaks the community’s rules").waitFor();
    await page.getByRole("link", { name: "On dyes" }).getByTitle(helped).waitFor();
    await page.getByRole("button", { name: "Dismiss: On dyes" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("It is about felt");
    await page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("No open reports").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Decisions" }).click();
    await page.getByText("No sales here").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Buy my felt" }).getByTitle(helped).waitFor();
    await page.getByRole("button", { name: /^Restore/ }).click();
    await page.getByText("No longer in force").waitFor();
    await visitor.open("/c/felting/members");
    await page.getByRole("button", { name: "Ban @max" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Sales again");
    await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
    await page.getByText("@max is banned from felting.").waitFor();

    await using banned = await visit(tandem, max, phone);
    await banned.open("/c/felting");
    await banned.page.getByRole("main").getByRole("link", { name: "See why" }).click();
    await banned.page.getByText("Banned from a community").waitFor();
    await banned.page.getByText("Sales again").waitFor();
    await banned.page.getByRole("link", { name: "the moderators of felting" }).first().waitFor();
    expect(await banned.axeViolations()).toEqual([]);

    await visitor.open("/c/felting/moderation?view=bans");
    await page.getByRole("button", { name: "Lift ban: @max" }).click();
    await page.getByText("No one is banned").waitFor();
    expect((await max.joinCommunity({ name: "felting" })).joined).toBe(true);
    expect([...visitor.browserErrors, ...banned.browserErrors]).toEqual([]);
  });

  test("answer who may not see their forms, or names that don't exist, with Page not found", async () => {
    const zoe = await tandem.as.human("zoe");
    await (await tandem.as.human("yves")).createCommunity({ name: "dyeing" });
    await using visitor = await visit(tandem, zoe);
    for (const path of ["/c/dyeing/edit", "/c/dyeing/members", "/c/dyeing/moderation", "/c/nowhere"]) {
      await visitor.open(path);
      await visitor.page.getByRole("heading", { name: "Page not found" }).waitFor();
    }
  });
});
