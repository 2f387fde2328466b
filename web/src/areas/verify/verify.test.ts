import { integrate } from "@tandem/server/features/transparency-log/integrate";
import { drawPicture } from "@tandem/testing/pictures";
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
    await page.getByRole("button", { name: `More options for @${person.user.username}'s comment` }).click();
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

  test("from a profile's menu, with its pictures", async () => {
    const [person, reader] = [await tandem.as.human(), await tandem.as.human()];
    await person.setAvatar({ image: new Blob([Uint8Array.from(await drawPicture())]) });
    await person.editProfile({ bio: "Over and under" });
    await integrate(tandem.services);
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open(`/creators/native/${person.user.username}`);
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Check this profile's receipt" }).click();
    await shows(visitor, "Everything matches");
    await page.getByText("The picture, video or link is the one in the log (matches)").waitFor();
    await page.getByRole("link", { name: "Open" }).click();
    await page.waitForURL(`**/creators/native/${person.user.username}`);
    const { product } = await person.createProduct({ title: "Loom", url: "https://example.org/loom" });
    await visitor.open(`/verify?url=${tandem.baseUrl}/out/${product.id}`);
    await shows(visitor, "Signed, but not in the log yet");
    await page.getByText("The picture, video or link is the one in the log (not checked)").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("says why it can't check an address", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/verify");
    const check = async (address: string) => {
      await page.getByLabel("Address of a post").fill(address);
      await page.keyboard.press("Enter");
      return page.getByRole("alert").innerText();
    };
    const reasons = [
      ["https://example.org/posts/1", "only check what this server shows"],
      [`${tandem.baseUrl}/about`, "isn't the address of anything that has a receipt"],
      [`${tandem.baseUrl}/posts/999999`, "doesn't exist or was deleted"],
    ] as const;
    for (const [address, reason] of reasons) await expect.poll(() => check(address)).toContain(reason);
  });
});
