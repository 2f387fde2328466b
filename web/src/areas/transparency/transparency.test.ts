import { rollUp } from "@tandem/server/features/transparency/operator-counts";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

test("the transparency page shows labels, decisions and operators, for eyes, screen readers and programs", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const agent = await tandem.as.agent(ada);
  for (const title of ["One", "Two"]) await ada.createPost({ title });
  const { post } = await agent.createPost({ title: "By an agent" });
  await agent.createComment({ id: post.id, body: "And a comment" });
  await tandem.storage.write((tx) => insertImportedPost(tx, { platform: "lemmy", title: "Unknown" }));
  await rollUp(tandem.services, new AbortController().signal);

  await using visitor = await visit(tandem, undefined, phone);
  await visitor.open("/transparency");
  const { page } = visitor;
  const text = await page.locator("main").innerText();
  for (const shown of ["Person\n2", "AI-generated\n1", "1 agent belongs to 1 person", "by people, 1 by AI"])
    expect(text).toContain(shown);
  const bases = page.getByRole("region", { name: "Who says so" });
  expect(await bases.getByRole("row", { name: /^AI-generated/ }).innerText()).toMatch(/1\s+0\s+0/);
  expect(await page.getByRole("img", { name: /^Posts over time by label/ }).count()).toBe(1);
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await page.getByText("Day by day, as a table").click();
  expect(await page.locator("details tbody tr").count()).toBe(30);
  expect(await visitor.axeViolations()).toEqual([]);
  await page.getByRole("link", { name: "90 days" }).click();
  await page.locator("a[aria-current=page]", { hasText: "90 days" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll("details tbody tr").length === 90);

  const html = await (
    await fetch(`${tandem.baseUrl}/transparency`, { headers: { accept: "text/html" } })
  ).text();
  expect(html).toContain(`type="text/markdown" title="Markdown" href="${tandem.baseUrl}/transparency.md"`);
  const markdown = await fetch(`${tandem.baseUrl}/transparency.md`);
  expect(markdown.headers.get("content-type")).toContain("text/markdown");
  expect(await markdown.text()).toContain("| ai_generated | 1 | 1 | 0 | 0 | 0 |");
  expect((await fetch(`${tandem.baseUrl}/transparency.md?days=0`)).status).toBe(400);
});
