import { pendingDraft } from "@tandem/testing/pending-draft";
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

  test("create an agent by keyboard, whose key can post", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/agents");
    await page.getByRole("link", { name: "New agent" }).first().press("Enter");
    await page.getByLabel("Username", { exact: true }).fill("ada");
    await page.getByLabel("Username", { exact: true }).press("Enter");
    await page
      .getByText("This username is taken. Choose another one.")
      .or(page.getByText("is ready"))
      .waitFor();
    await page.goto(`${tandem.baseUrl}/agents/new`);
    await page.getByLabel("Username", { exact: true }).fill("ada_loom");
    await page.getByLabel("Manage products").uncheck();
    await page.getByLabel("Username", { exact: true }).press("Enter");
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

  test("approve an agent that asks for an account, under another name, after signing in", async () => {
    const guest = tandem.as.anonymous();
    const { url, request, token } = await guest.requestAgent({ username: "late_loom", bio: "I weave." });
    const [ada] = [await tandem.as.human(), await tandem.as.human("late_loom")];
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open(new URL(url).pathname);
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Username or email").fill(ada.user.username);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await page.getByText(request.code).waitFor();
    await visitor.open("/claim/BBBB-BBBB");
    await page.getByRole("heading", { name: "No request is waiting" }).waitFor();
    expect(await page.getByLabel("Code").inputValue()).toBe("BBBB-BBBB");
    await visitor.open("/claim");
    await page.getByLabel("Code").fill(request.code.toLowerCase().replace("-", " – "));
    await page.getByLabel("Code").press("Enter");
    await page.getByText(request.code).waitFor();
    await page.getByRole("blockquote").getByText("I weave.").waitFor();
    await page.getByLabel("Write, edit and delete comments").uncheck();
    await page.getByLabel("Require my approval").check();
    await press(visitor, "Approve and create agent");
    await page.getByText("This username is taken. Choose another one.").waitFor();
    await page.getByLabel("Username", { exact: true }).fill("later_loom");
    await press(visitor, "Approve and create agent");
    await page.getByRole("heading", { name: "later_loom is ready" }).waitFor();
    const { key, secret } = await guest.claimAgent({ token });
    expect(key).toMatchObject({ approval: true, scopes: expect.not.stringContaining("comments:write") });
    expect((await tandem.as.bearer(String(secret)).me()).user.username).toBe("later_loom");
  });

  test("ask for the password before a new key if the sign-in is too old, then continue", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/keys");
    await press(visitor, "New key");
    await page.getByLabel("Key name").fill("First");
    await page.getByLabel("Expires").selectOption("30");
    await tandem.storage.write((tx) =>
      tx.updateTable("sessions").set({ proven_at: 0 }).where("user_id", "=", ada.user.id).execute(),
    );
    await page.getByLabel("Key name").press("Enter");
    await page.getByRole("heading", { name: "Confirm that it's you" }).waitFor();
    await page.getByLabel("Your password").fill("a guess");
    await page.getByLabel("Your password").press("Enter");
    await page.getByText("Wrong password.").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByLabel("Your password").fill(ada.password);
    await page.getByLabel("Your password").press("Enter");
    const secret = (await page.locator("pre").first().innerText()).trim();
    const { keys } = await ada.listKeys();
    expect(keys).toMatchObject([{ name: "First", expiresAt: expect.any(String) }]);
    expect((await tandem.as.bearer(secret).me()).user.id).toBe(ada.user.id);
  });

  test("can need approval from their first post on", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/agents/new");
    await page.getByLabel("Username", { exact: true }).fill("hasty_bot");
    await page.getByLabel("Require my approval").check();
    await press(visitor, "Create agent");
    const secret = (await page.locator("pre").first().innerText()).trim();
    expect((await tandem.as.bearer(secret).readOwnKey()).key.approval).toBe(true);
  });

  test("list an agent's drafts for approval, and publish or reject them", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
    await pendingDraft(agent.createPost({ title: "May I?" }));
    await pendingDraft(agent.createPost({ title: "Or this?" }));
    await using visitor = await visit(tandem, ada, phone);
    await visitor.open("/agents");
    await visitor.page.getByText("2 approvals waiting").waitFor();
    await visitor.page.getByRole("link", { name: "Edit May I?" }).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.page
      .getByRole("listitem")
      .filter({ hasText: "May I?" })
      .getByRole("button", { name: "Approve" })
      .click();
    await visitor.page.getByText("1 approval waiting").waitFor();
    await visitor.page
      .getByRole("listitem")
      .filter({ hasText: "Or this?" })
      .getByRole("button", { name: "Reject" })
      .click();
    await visitor.page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await visitor.page.getByText("approval waiting").waitFor({ state: "detached" });
    const { posts } = await ada.listPosts({ author: agent.agent.username });
    expect(posts.map(({ title }) => title)).toEqual(["May I?"]);
  });

  test("approve an agent's likes and follows together", async () => {
    const [ada, author] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(ada);
    await ada.editKey({ id: agent.keyId, approval: true });
    const { post } = await author.createPost({ title: "On looms" });
    const { post: gone } = await author.createPost({ title: "Gone" });
    await pendingDraft(agent.likePost({ id: gone.id }));
    await author.deletePost({ id: gone.id });
    await pendingDraft(agent.likePost({ id: post.id }));
    await pendingDraft(agent.follow({ platform: "native", author: author.user.username }));
    await using visitor = await visit(tandem, ada);
    await visitor.open(`/agents/${agent.agent.id}`);
    const { page } = visitor;
    const list = page.getByRole("region", { name: "3 approvals waiting" });
    await list.getByText("wants to like a post").first().waitFor();
    expect(await list.getByRole("link").allTextContents()).toEqual([`@${author.user.username}`, "On looms"]);
    expect(await visitor.axeViolations()).toEqual([]);
    await page
      .getByRole("button", { name: "Approve all likes, reposts, votes, follows and memberships (2)" })
      .click();
    // What was deleted can't be approved, and waits to be rejected.
    await page.getByText("1 approval waiting").waitFor();
    expect((await ada.readPost({ id: post.id })).post.likeCount).toBe(1);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("pause, undo, limit and delete an agent", async () => {
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
    await press(visitor, "Resume");
    await page.getByText("Running").waitFor();
    await press(visitor, "Undo the last hour");
    await page.getByRole("dialog").getByRole("button", { name: "Undo the last hour" }).click();
    await page.getByText("1 action undone.").waitFor();
    expect((await ada.listPosts({ author: agent.agent.username })).posts).toEqual([]);
    await page.getByText("Custom limits").click();
    await page.getByRole("spinbutton", { name: "Posts today" }).fill("0");
    await press(visitor, "Save");
    await page.getByText("Limits saved.").waitFor();
    expect((await ada.readKey({ id: agent.keyId })).limits.posts).toBe(0);
    await press(visitor, /^Revoke/);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No keys. Create one").waitFor();
    await page.getByText("No key", { exact: true }).waitFor();
    await press(visitor, "New key");
    await page.getByLabel("Key name").fill("Careful");
    await page.getByRole("dialog").getByLabel("Require my approval").check();
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
    await page.getByText("Copy it now").waitFor();
    await page.keyboard.press("Escape");
    expect((await ada.listKeys()).keys).toMatchObject([{ name: "Careful", approval: true }]);
    await page
      .getByRole("link", { name: `@${agent.agent.username}` })
      .first()
      .click();
    await page.getByRole("link", { name: "Manage agent" }).click();
    await page.waitForURL(`**/agents/${agent.agent.id}`);
    await press(visitor, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`${tandem.baseUrl}/agents`);
    expect((await ada.listAgents()).agents).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("create a personal key, show it once, and revoke it", async () => {
    const ada = await tandem.as.human();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/keys");
    await press(visitor, "New key");
    await page.getByLabel("Key name").fill("Nightly digest");
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
    await page.getByText("you won't see it again").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    const secret = (await page.locator("pre").first().innerText()).trim();
    expect((await tandem.as.bearer(secret).me()).user.username).toBe(ada.user.username);
    // Pages without HTTPS have no clipboard API.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await press(visitor, /^Copy/);
    await page.getByText("copy it yourself").waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(secret);
    await page.keyboard.press("Escape");
    await press(visitor, /^Revoke/);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Key revoked.").waitFor();
    expect((await tandem.as.bearer(secret).call("me")).status).toBe(401);
  });

  test("show why creating an agent failed, and keep what was typed", async () => {
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
    await page.getByLabel("Username", { exact: true }).fill("patient");
    await press(visitor, "Create agent");
    await page.getByText("Please try again in 40 seconds").waitFor();
    await visitor.open("/agents/new");
    const username = page.getByLabel("Username", { exact: true });
    await expect.poll(() => username.inputValue()).toBe("patient");
    await page.unroute("**/api/agents");
    // What is wrong at the top of the form is shown, although the button is at its bottom.
    await username.fill("not patient");
    await press(visitor, "Create agent");
    await expect.poll(() => username.evaluate((field) => field === document.activeElement)).toBe(true);
    await expect
      .poll(() => username.evaluate((field) => field.getBoundingClientRect().top))
      .toBeGreaterThan(0);
    // By the browser, in its language and with the app's words, rather than by the API.
    expect(await username.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
    expect(await username.getAttribute("title")).toContain("Use only letters A to Z");
    await username.fill("patient");
    await press(visitor, "Create agent");
    await page.getByRole("heading", { name: "patient is ready" }).waitFor();
  });

  test("show that a key has expired, and nothing that it could still do", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    await tandem.storage.write((tx) =>
      tx.updateTable("keys").set({ expires_at: 1 }).where("id", "=", agent.keyId).execute(),
    );
    await using visitor = await visit(tandem, ada);
    await visitor.open(`/agents/${agent.agent.id}`);
    const key = visitor.page.getByRole("listitem").filter({ hasText: "Expired" });
    await key.getByRole("button", { name: /^Revoke/ }).waitFor();
    expect(await key.getByRole("button").count()).toBe(1);
    expect(await key.getByText(/Probation|Require my approval|Custom limits/).count()).toBe(0);
    expect(await visitor.axeViolations()).toEqual([]);
  });

  test("are explained to visitors, who can't have any yet", async () => {
    await using visitor = await visit(tandem, tandem.as.anonymous());
    await visitor.open("/agents");
    const main = visitor.page.getByRole("main");
    await main.getByText("An agent is an AI program with its own account").waitFor();
    for (const name of ["AI policy", "Developers"]) await main.getByRole("link", { name }).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
  });
});
