import { integrate } from "@tandem/server/features/transparency-log/integrate";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("checking receipts", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const shows = ({ page }: Visitor, heading: string) =>
    page.getByRole("heading", { name: heading }).waitFor();

  test("from a post's and a comment's menu, in the reader's browser; a changed text is found", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person, "loom_bot");
    const { post } = await agent.createPost({ title: "Woven by a machine", body: "Over and under." });
    const { comment } = await person.createComment({ id: post.id, body: "Well woven" });
    await using visitor = await visit(tandem, person);
    const { page } = visitor;
    await visitor.open(`/posts/${post.id}`);
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Check this post's receipt" }).click();
    await shows(visitor, "Signed, but not in the log yet");
    await integrate(tandem.services);
    await page.getByRole("button", { name: "Check again" }).click();
    await shows(visitor, "Everything matches");
    await page.getByText("Details").click();
    await page.getByText('"basis": "stamped"').waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open(`/posts/${post.id}`);
    await page.getByRole("button", { name: `More options for ${person.user.username}'s comment` }).click();
    await page.getByRole("menuitem", { name: "Check this comment's receipt" }).click();
    await shows(visitor, "Everything matches");
    expect(new URL(page.url()).searchParams.get("url")).toBe(
      `${tandem.baseUrl}/posts/${post.id}#comment-${comment.id}`,
    );
    await tandem.storage.write((tx) =>
      tx.updateTable("comments").set({ body: "Badly woven" }).where("id", "=", comment.id).execute(),
    );
    await page.reload();
    await shows(visitor, "This doesn't match");
    await page.getByText("The text is the one in the log (doesn't match)").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("says why it can't check an address", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/verify");
    const check = async (address: string) => {
      await page.getByLabel("Address of a post or comment").fill(address);
      await page.keyboard.press("Enter");
      return page.getByRole("alert").innerText();
    };
    expect(await check("https://example.org/posts/1")).toContain("only check posts of this server");
    await expect.poll(() => check(`${tandem.baseUrl}/about`)).toContain("isn't the address of a post");
    await expect
      .poll(() => check(`${tandem.baseUrl}/posts/999999`))
      .toContain("doesn't exist or was deleted");
  });
});
