import type { Person } from "@tandem/testing/callers";
import { insertPosts } from "@tandem/testing/imported-posts";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("an operator", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
    await tandem.as.agent(ada, "frank_gecko");
  });
  afterAll(() => tandem.stop());

  test("acts as an agent: sees a banner on every page and only what agents can use, and logs in to come back", async () => {
    await using visitor = await visit(tandem, await tandem.as.anotherSession(ada));
    const { page } = visitor;
    const banner = page.getByText("You're acting as @frank_gecko. Everything you write is labelled as AI.");
    const navigationLink = (name: string) =>
      page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name });
    const agents = await ada.listAgents();
    await visitor.open(`/agents/${agents.agents[0]?.id}`);
    await navigationLink("Agents & keys").waitFor();
    await page.getByRole("button", { name: "Act as this agent" }).click();
    await page
      .getByRole("dialog")
      .getByText("You will be logged out of your own account in this browser")
      .waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Act as this agent" }).click();
    await banner.waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await navigationLink("Settings").waitFor();
    for (const name of ["Agents & keys", "Friends"])
      expect([name, await navigationLink(name).count()]).toEqual([name, 0]);
    await visitor.open("/settings");
    await banner.waitFor();
    expect(await page.getByRole("button", { name: "Log out" }).count()).toBe(0);
    await page.getByRole("complementary", { name: "Acting as an agent" }).getByRole("button").click();
    await page.waitForURL(`${tandem.baseUrl}/return`);
    const main = page.getByRole("main");
    await main.getByText("@ada").waitFor();
    expect(await banner.count()).toBe(0);
    expect(await visitor.axeViolations()).toEqual([]);
    await main.getByLabel("Password", { exact: true }).fill("wrong");
    await main.getByRole("button", { name: "Continue" }).click();
    await main.getByText("Wrong password.").waitFor();
    await main.getByLabel("Password", { exact: true }).fill(ada.password);
    await main.getByRole("button", { name: "Continue" }).click();
    await navigationLink("Agents & keys").waitFor();
    await visitor.open("/return");
    await main.getByText("You're logged in").or(main.getByText("No account is waiting")).waitFor();
    await visitor.open("/");
    await page.getByRole("link", { name: "@ada" }).waitFor();
    // The browser reports the wrong password's 401.
    expect(visitor.browserErrors.filter((error) => !error.includes("/api/auth/login"))).toEqual([]);
  });

  test("sees no links to pages that agents can't use while acting as one, and no pointless retry button", async () => {
    const { agents } = await ada.listAgents();
    await using visitor = await visit(tandem, await tandem.as.agentSession(ada, agents[0]?.id ?? 0), phone);
    const { page } = visitor;
    await visitor.open("/me");
    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Drafts" }).waitFor();
    for (const name of ["Agents & keys", "Friends"])
      expect([name, await main.getByRole("link", { name }).count()]).toEqual([name, 0]);
    await main.getByRole("button", { name: "Switch back to your account" }).waitFor();
    await page.goto(`${tandem.baseUrl}/keys`);
    await main.getByText("Agents can't do this").waitFor();
    expect(await main.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByText("You're acting as @frank_gecko").waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const path of ["/agents", "/keys"]) {
      await page.goto(tandem.baseUrl + path);
      await page.getByRole("link", { name: "Developers" }).first().waitFor();
      for (const name of ["Approve an agent", "Connected apps"])
        expect([path, name, await page.getByRole("link", { name }).count()]).toEqual([path, name, 0]);
    }
  });

  test("sees the agent's activity live, with links to its posts and comments", async () => {
    const agent = await tandem.as.agent(ada);
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/agents/${agent.agent.id}`);
    await page.getByText("No recent activity.").waitFor();
    await page.getByText("never used").waitFor();
    const { post } = await agent.createPost({ title: "While you look" });
    const { comment } = await agent.createComment({ id: post.id, body: "And more." });
    const [untitled = 0] = await tandem.storage.write((tx) =>
      insertPosts(tx, [{ title: null, body: "Looms weave algebraic patterns." }]),
    );
    await agent.likePost({ id: untitled });
    await ada.editKey({ id: agent.keyId, approval: true });
    const id = await pendingDraft(agent.createComment({ id: post.id, body: "May I?" }));
    const links = page.getByRole("listitem").getByRole("link", { name: "While you look" });
    await expect
      .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))), {
        timeout: 15_000,
      })
      .toEqual(expect.arrayContaining([`/posts/${post.id}#comment-${comment.id}`, `/posts/${post.id}`]));
    await page.getByRole("link", { name: "Looms weave algebraic patterns." }).waitFor();
    const ofComment = page.getByRole("listitem").filter({ hasText: "asked for approval: New comment" });
    await ofComment.getByText("waiting for you").waitFor();
    await ofComment.getByRole("link", { name: "While you look" }).waitFor();
    await ada.approveDraft({ id });
    await ofComment.getByText("approved by you").waitFor({ timeout: 15_000 });
    await page
      .getByRole("listitem")
      .filter({ hasText: /commented.*approved by you/ })
      .waitFor();
    await page.getByText("1 post", { exact: true }).waitFor();
    await page.getByText("never used").waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("definition").first().innerText()).toMatch(/^1 of /);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("reads in the activity what each call was about, on every width", async () => {
    const agent = await tandem.as.agent(ada, "a".repeat(20));
    await agent.editProfile({ displayName: "An agent with a long name" });
    const { post } = await ada.createPost({ title: "A title that takes some space ".repeat(5) });
    await agent.createComment({ id: post.id, body: "Well said." });
    await ada.editKey({ id: agent.keyId, approval: true });
    await pendingDraft(agent.createComment({ id: post.id, body: "May I?" }));
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/agents/${agent.agent.id}`);
    const rows = page.getByRole("listitem").filter({ hasText: /commented|asked for approval/ });
    for (const width of [390, 834, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const found = await rows.evaluateAll((items) =>
        items.map((item) => ({
          link: Math.round(item.querySelector("a")?.getBoundingClientRect().width ?? 0),
          end: Math.round(item.querySelector("time")?.getBoundingClientRect().right ?? 0),
        })),
      );
      expect(found).toHaveLength(2);
      for (const { link, end } of found) {
        expect(link, `at ${width}`).toBeGreaterThan(200);
        expect(end, `at ${width}`).toBe(found[0]?.end);
      }
    }
  });
});
