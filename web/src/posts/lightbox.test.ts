import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("an enlarged image", () => {
  let tandem: Tandem;
  let id: number;
  beforeAll(async () => {
    tandem = await startTandem();
    const ada = await tandem.as.human("ada");
    const image = new Blob([new Uint8Array(await drawPicture())]);
    ({ id } = (await ada.createPost({ title: "A loom", image, alt: "Four colours" })).post);
    for (let i = 0; i < 8; i++) await ada.createPost({ title: `Loom ${i}`, body: "Weaving.\n\n".repeat(20) });
  });
  afterAll(() => tandem.stop());

  const picture = ({ page }: Visitor) => page.getByRole("button", { name: "Four colours" });
  const top = ({ page }: Visitor) => page.evaluate(() => scrollY);

  test("closes when going back, keeps the scroll position, and leaves no extra history entry", async () => {
    await using visitor = await visit(tandem, undefined, phone);
    const { page } = visitor;
    await visitor.open("/about");
    await visitor.open("/");
    await picture(visitor).scrollIntoViewIfNeeded();
    const before = await top(visitor);
    expect(before).toBeGreaterThan(0);
    const window = page.getByRole("dialog");
    await picture(visitor).click();
    await window.waitFor();
    await page.goBack();
    await window.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/");
    await expect.poll(() => top(visitor)).toBe(before);
    // Closing it with its button leaves no history entry.
    await picture(visitor).click();
    await window.getByRole("button", { name: "Close" }).click();
    await window.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "A loom" }).first().click();
    await page.waitForURL(`**/posts/${id}`);
    // The URL changes before the page does: the image in the feed would still match.
    await page.getByRole("heading", { level: 1, name: "A loom" }).waitFor();
    await picture(visitor).first().click();
    await window.waitFor();
    await page.keyboard.press("Escape");
    await window.waitFor({ state: "detached" });
    await page.goBack();
    await page.waitForURL(`${tandem.baseUrl}/`);
    await expect.poll(() => top(visitor)).toBe(before);
    await page.goBack();
    await page.waitForURL("**/about");
    expect(visitor.browserErrors).toEqual([]);
  });
});
