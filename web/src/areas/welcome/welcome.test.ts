import { insertImportedPost } from "@tandem/testing/imported-posts";
import { faultsOf } from "@tandem/testing/looks";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("someone new", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
    await tandem.storage.write(async (tx) => {
      await insertImportedPost(tx, {
        platform: "lemmy",
        author: "carder",
        title: "Wool",
        community: "looms",
      });
      await insertImportedPost(tx, { platform: "lemmy", author: "baker", title: "Rye", community: "bread" });
    });
  });
  afterAll(() => tandem.stop());

  test("chooses topics, how much AI to see, and whom to follow, and then sees first steps", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    const next = () => page.getByRole("main").getByText("Next", { exact: true }).click();
    await visitor.open("/signup");
    await page.getByLabel("Username").fill("grace_h");
    await page.getByLabel("Email").fill("grace@example.org");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/welcome/topics");
    await page.getByRole("checkbox", { name: "bread" }).check();
    expect(await faultsOf(visitor)).toEqual([]);
    await next();
    await page.waitForURL("**/welcome/ai?topics=bread");
    await page.getByRole("radio", { name: "Hide" }).check();
    expect(await faultsOf(visitor)).toEqual([]);
    await expect
      .poll(() =>
        page.evaluate(async () => (await (await fetch("/api/users/preferences")).json()).preferences),
      )
      .toMatchObject({ aiPosts: "hide", aiComments: "hide" });
    await next();
    await page.waitForURL("**/welcome/people?topics=bread");
    const rows = page.getByRole("main").getByRole("listitem");
    expect(await rows.first().textContent()).toContain("baker");
    await rows.first().getByRole("button", { name: "Follow" }).click();
    await page.getByText("1 of 5 followed").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    await page.getByRole("link", { name: "Show me the feed" }).click();
    await page.waitForURL("**/?followed=1");
    await page.getByRole("heading", { name: "Rye" }).waitFor();

    await visitor.open("/");
    const steps = page.getByRole("region", { name: "Your first steps" });
    await steps.getByText("1 of 4 done").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    await steps.getByRole("link", { name: "Write your first post" }).click();
    await page.getByRole("textbox").first().fill("Hello there");
    await page.getByRole("main").getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL("**/posts/*");
    await visitor.open("/");
    await steps.getByText("2 of 4 done").waitFor();
    await steps.getByRole("button", { name: "Close first steps" }).click();
    await steps.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(async () => (await (await fetch("/api/users/checklist")).json()).checklist))
      .toEqual({ picture: false, email: null, follow: true, post: true, agent: false, closed: true });
    await page.reload();
    await page.getByRole("article").first().waitFor();
    expect(await steps.count()).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("follows although the profile was read before, and arrives later", async () => {
    await using visitor = await visit(tandem, await tandem.as.human());
    const { page } = visitor;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/creators/lemmy/baker", async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await visitor.open("/welcome/people?topics=bread");
    const followed = page.waitForResponse("**/api/follows");
    await page.getByRole("button", { name: "Follow: baker" }).click();
    await followed;
    release();
    await page.getByText("1 of 5 followed").waitFor();
  });
});
