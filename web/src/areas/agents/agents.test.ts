import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("keys and agents", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const press = (visitor: Visitor, name: string | RegExp) =>
    visitor.page
      .getByRole("button", { name, exact: typeof name === "string" })
      .first()
      .click();

  test("an agent is created by keyboard, and its key posts", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/agents");
    await page.getByRole("link", { name: "New agent" }).first().press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("ada");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await page.getByText("Another account has this name.").or(page.getByText("is ready")).waitFor();
    await page.goto(`${tandem.baseUrl}/agents/new`);
    await page.getByLabel("Name", { exact: true }).fill("ada_loom");
    await page.getByLabel("Offer products").uncheck();
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await page.getByRole("heading", { name: "ada_loom is ready" }).waitFor();
    const secret = (await page.locator("pre").first().innerText()).trim();
    const agent = tandem.as.bearer(secret);
    const { post } = await agent.createPost({ title: "From my agent" });
    expect(post).toMatchObject({ author: "ada_loom", provenance: "ai_generated" });
    expect((await agent.readOwnKey()).scopes).not.toContain("products:write");
    await page.getByRole("tab", { name: "VS Code" }).click();
    expect(await page.locator("pre").nth(1).innerText()).toContain(`"url": "${tandem.baseUrl}/mcp"`);
    expect(await page.locator("pre").nth(1).innerText()).not.toContain(secret);
    expect(await visitor.axeViolations()).toEqual([]);
  });

  test("a key's secret is shown whatever comes of what is asked for after it", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/agents/new");
    await page.getByLabel("Name", { exact: true }).fill("hasty_bot");
    await page.getByLabel("Ask me first").check();
    await page.route("**/api/keys", (route) =>
      route.fulfill({ status: 500, json: { error: "Oops.", code: "internal" } }),
    );
    await press(visitor, "Create the agent");
    await page.getByText("It doesn't ask first yet").waitFor();
    const secret = (await page.locator("pre").first().innerText()).trim();
    expect((await tandem.as.bearer(secret).readOwnKey()).key.approval).toBe(false);
  });

  test("what an agent asks first waits here, and goes out by a press", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
    await agent.createPost({ title: "May I?" });
    await agent.createPost({ title: "Or this?" });
    await using visitor = await visit(tandem, ada, phone);
    await visitor.open("/agents");
    await visitor.page.getByText("2 things wait for you").waitFor();
    await visitor.page.getByRole("link", { name: "Edit: May I?" }).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.page
      .getByRole("listitem")
      .filter({ hasText: "May I?" })
      .getByRole("button", { name: "Approve" })
      .click();
    await visitor.page.getByText("One thing waits for you").waitFor();
    await visitor.page
      .getByRole("listitem")
      .filter({ hasText: "Or this?" })
      .getByRole("button", { name: "Reject" })
      .click();
    await visitor.page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await visitor.page.getByText("waits for you").waitFor({ state: "detached" });
    const { posts } = await ada.listPosts({ author: agent.agent.username });
    expect(posts.map(({ title }) => title)).toEqual(["May I?"]);
  });

  test("an agent is paused, undone, capped and deleted from its console", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await agent.createPost({ title: "Too much" });
    await using visitor = await visit(tandem, ada, { colorScheme: "dark" });
    const { page } = visitor;
    await visitor.open(`/agents/${agent.agent.id}`);
    await page.getByText("posted").waitFor();
    const { posts: limit } = (await ada.readKey({ id: agent.keyId })).limits;
    const used = page.getByRole("definition").first();
    await expect.poll(() => used.innerText()).toBe(`1 of ${limit.toLocaleString("en")} used`);
    expect(await used.locator("meter").evaluate((bar: HTMLMeterElement) => bar.value / bar.max)).toBe(
      1 / limit,
    );
    expect(await visitor.axeViolations()).toEqual([]);
    await press(visitor, "Pause");
    await page.getByText("Paused").first().waitFor();
    expect((await agent.call("createPost", { title: "No" })).status).toBe(403);
    await press(visitor, "Let it go on");
    await page.getByText("Running").waitFor();
    await press(visitor, "Undo its last hour");
    await page.getByRole("dialog").getByRole("button", { name: "Undo its last hour" }).click();
    await page.getByText("One thing is undone.").waitFor();
    expect((await ada.listPosts({ author: agent.agent.username })).posts).toEqual([]);
    await page.getByText("Limits of your own").click();
    await page.getByRole("spinbutton", { name: "Posts today" }).fill("0");
    await press(visitor, "Save");
    await page.getByText("The limits are saved.").waitFor();
    expect((await ada.readKey({ id: agent.keyId })).limits.posts).toBe(0);
    await press(visitor, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`${tandem.baseUrl}/agents`);
    expect((await ada.listAgents()).agents).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("a key of one's own is minted, shown once, and revoked", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/keys");
    await press(visitor, "New key");
    await page.getByLabel("What it is for").fill("Nightly digest");
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
    await page.getByText("shown once and never again").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    const secret = (await page.locator("pre").first().innerText()).trim();
    expect((await tandem.as.bearer(secret).me()).user.username).toBe(ada.user.username);
    // As in a page that came without HTTPS.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await press(visitor, "Copy");
    await page.getByText("copy it by hand").waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(secret);
    await page.keyboard.press("Escape");
    await press(visitor, "Revoke");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The key is revoked.").waitFor();
    expect((await tandem.as.bearer(secret).call("me")).status).toBe(401);
  });

  test("what the service refuses is told, and nothing typed is lost", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/agents/new");
    await page.route("**/api/agents", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "40" },
        json: { error: "Too many.", code: "rate_limited" },
      }),
    );
    await page.getByLabel("Name", { exact: true }).fill("patient");
    await press(visitor, "Create the agent");
    await page.getByText("Please try again in 40 seconds").waitFor();
    await visitor.open("/agents/new");
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("patient");
    await page.unroute("**/api/agents");
    await press(visitor, "Create the agent");
    await page.getByRole("heading", { name: "patient is ready" }).waitFor();
  });
});
