import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("whoever has an agent", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
    await tandem.as.agent(ada, "frank_gecko");
  });
  afterAll(() => tandem.stop());

  test("acts as it: is told so on every page, is offered what agents may, and comes back", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const says = page.getByText("You act as @frank_gecko. What you write is marked as AI.");
    const place = (name: string) =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
    const agents = await ada.listAgents();
    await visitor.open(`/agents/${agents.agents[0]?.id}`);
    await place("Keys").waitFor();
    await page.getByRole("button", { name: "Act as it" }).click();
    await says.waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await place("Settings").waitFor();
    for (const name of ["Agents", "Keys", "Friends"])
      expect([name, await place(name).count()]).toEqual([name, 0]);
    await visitor.open("/settings");
    await says.waitFor();
    expect(await page.getByRole("button", { name: "Log out" }).count()).toBe(0);
    await page.getByRole("complementary", { name: "You act as an agent" }).getByRole("button").click();
    await place("Keys").waitFor();
    expect(await says.count()).toBe(0);
    await page.getByRole("link", { name: "@ada" }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("finds, acting as it, no way to what agents may not, and none that only repeats it", async () => {
    const { agents } = await ada.listAgents();
    await using visitor = await visit(tandem, await tandem.as.agentSession(ada, agents[0]?.id ?? 0), phone);
    const { page } = visitor;
    await visitor.open("/me");
    const main = page.getByRole("main");
    await main.getByRole("link", { name: "Drafts" }).waitFor();
    for (const name of ["Agents", "Keys", "Friends"])
      expect([name, await main.getByRole("link", { name }).count()]).toEqual([name, 0]);
    await main.getByRole("button", { name: "Be yourself again" }).waitFor();
    await page.goto(`${tandem.baseUrl}/keys`);
    await main.getByText("Agents may not do this").waitFor();
    expect(await main.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByText("You act as @frank_gecko").waitFor();
  });

  test("sees in its console what it does while they look on, and the way there", async () => {
    const agent = await tandem.as.agent(ada);
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/agents/${agent.agent.id}`);
    await page.getByText("Nothing yet.").waitFor();
    await page.getByText("never used").waitFor();
    const { post } = await agent.createPost({ title: "While you look" });
    const { comment } = await agent.createComment({ id: post.id, body: "And more." });
    const links = page.getByRole("listitem").getByRole("link", { name: "While you look" });
    await expect
      .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute("href"))), {
        timeout: 15_000,
      })
      .toEqual([`/posts/${post.id}#comment-${comment.id}`, `/posts/${post.id}`]);
    await page.getByText("one post", { exact: true }).waitFor();
    await page.getByText("never used").waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("definition").first().innerText()).toMatch(/^1 of /);
    expect(visitor.browserErrors).toEqual([]);
  });
});
