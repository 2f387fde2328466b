import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("friends and blocks", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("accept, decline and cancel friend requests, and unfriend", async () => {
    const ada = await tandem.as.human("ada");
    const [mary, carl, jane] = [
      await tandem.as.human("mary"),
      await tandem.as.human("carl"),
      await tandem.as.human("jane"),
    ];
    await mary.requestFriend({ username: "ada" });
    await carl.requestFriend({ username: "ada" });
    await ada.requestFriend({ username: "jane" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/friends");
    const line = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    await line("mary").getByRole("button", { name: "Accept" }).click();
    await page.getByText("You and @mary are now friends.").waitFor();
    await line("carl").getByRole("button", { name: "Decline" }).click();
    await line("jane").getByRole("button", { name: "Cancel request" }).click();
    await expect.poll(() => page.getByRole("list", { name: "Sent requests" }).count()).toBe(0);
    await expect.poll(() => line("carl").count()).toBe(0);
    expect((await ada.listFriends()).friends).toMatchObject([{ username: "mary" }]);
    expect((await jane.listFriendRequests()).incoming).toEqual([]);

    await page.getByRole("button", { name: "Unfriend @mary" }).click();
    await page.route("**/api/friends", (route) =>
      route.request().method() === "DELETE" ? route.abort() : route.continue(),
    );
    await page.getByRole("button", { name: "Unfriend", exact: true }).click();
    await page.getByText("Can't reach Tandem").waitFor({ timeout: 15_000 });
    await page.unroute("**/api/friends");
    await page.getByRole("button", { name: "Unfriend", exact: true }).click();
    await page.getByText("No friends yet").waitFor();
    expect((await mary.listFriends()).friends).toEqual([]);
  });

  test("block by username and unblock, and reject an unknown username", async () => {
    const [grace, troll] = [await tandem.as.human("grace"), await tandem.as.human("troll")];
    await using visitor = await visit(tandem, grace);
    const { page } = visitor;
    await visitor.open("/blocks");
    await page.getByLabel("Username").fill("nobody_here");
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await page.getByText("This doesn't exist or was deleted.").waitFor();
    expect(await page.getByLabel("Username").inputValue()).toBe("nobody_here");
    await page.getByLabel("Username").fill(`@${troll.user.username}`);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Unblock @troll" }).press("Enter");
    await page.getByRole("status").getByText("You unblocked @troll.").waitFor();
    // The button is gone. Who uses the keyboard goes on from the content, not from the top of the page.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.getByText("No blocked accounts").waitFor();
    expect((await grace.listBlocks()).blocks).toEqual([]);
  });

  test("link to every page from /me, and log out", async () => {
    const linus = await tandem.as.human("linus");
    await using visitor = await visit(tandem, linus, phone);
    const { page } = visitor;
    await visitor.open("/me");
    for (const path of ["/messages", "/friends", "/mutes", "/blocks", "/agents", "/settings", "/shop/mine"])
      expect(await page.locator(`main a[href="${path}"]`).count()).toBeGreaterThan(0);
    expect(await page.locator('main a[href="/admin"]').count()).toBe(0);
    const current = page.getByRole("navigation", { name: "Main menu" }).locator("[aria-current]");
    for (const [path, tab] of [
      ["/creators/native/linus", "You"],
      ["/creators/native/grace", "Search"],
      ["/me", "You"],
    ] as const) {
      await visitor.open(path);
      expect([path, await current.filter({ visible: true }).allInnerTexts()]).toEqual([path, [tab]]);
    }
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("link", { name: "Log in" }).waitFor();
    expect((await linus.call("me")).status).toBe(401);
  });
});
