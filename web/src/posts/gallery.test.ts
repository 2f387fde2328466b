import { insertImportedPost } from "@tandem/testing/imported-posts";
import { faultsOf } from "@tandem/testing/looks";
import { loopback, Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

test("a post's pictures are a gallery that opens in full screen, with arrow keys, buttons and swipes between them", async () => {
  await using origin = await Origin.start();
  const png = await drawPicture({ type: "png", width: 600, height: 400 });
  const pictures = Array.from({ length: 6 }, (_, i) => {
    const url = origin.show(`/${i + 1}.png`, { body: png });
    return { url, width: 600, height: 400, alt: `Row ${i + 1}` };
  });
  const tandem = await startTandem("sqlite", { env: loopback });
  await using _ = { [Symbol.asyncDispose]: () => tandem.stop() };
  const first = { mediaUrl: pictures[0]?.url ?? "", alt: "Row 1", width: 600, height: 400 };
  const post = { platform: "mastodon", title: "Peas", mediaType: "image", ...first, pictures } as const;
  const id = await tandem.storage.write((tx) => insertImportedPost(tx, post));
  await using visitor = await visit(tandem);
  const { page } = visitor;
  await visitor.open("/");
  const card = page.getByRole("article");
  await card.getByAltText("Row 4").waitFor();
  expect(await card.getByText("+2").isVisible()).toBe(true);
  expect(await faultsOf(visitor)).toEqual([]);

  const second = card.getByRole("button", { name: "Row 2 Enlarge image 2 of 6" });
  await second.press("Enter");
  const dialog = page.getByRole("dialog");
  const shows = (alt: string) => dialog.getByAltText(alt).waitFor();
  await shows("Row 2");
  await dialog.getByText("Row 2", { exact: true }).waitFor();
  expect(await visitor.axeViolations()).toEqual([]);
  await page.keyboard.press("ArrowRight");
  await shows("Row 3");
  await page.keyboard.press("End");
  await shows("Row 6");
  // There is no next one, and the button keeps the focus.
  await dialog.getByRole("button", { name: "Next image" }).press("Enter");
  await shows("Row 6");
  await dialog.getByRole("button", { name: "Previous image" }).click();
  await shows("Row 5");
  await dialog.getByAltText("Row 5").evaluate((picture) => {
    const touch = (clientX: number) => [new Touch({ identifier: 1, target: picture, clientX, clientY: 100 })];
    const send = (type: string, x: number, touches: Touch[]) =>
      picture.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches: touch(x) }));
    send("touchstart", 200, touch(200));
    send("touchend", 300, []);
  });
  await shows("Row 4");
  // In its own size it is scrolled, and the keys lead nowhere.
  await dialog.getByRole("button", { name: /Row 4/ }).click();
  await page.keyboard.press("ArrowRight");
  await shows("Row 4");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // The focus is where it was.
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("2 of 6"));
  expect(visitor.browserErrors).toEqual([]);

  const markdown = await (
    await fetch(`${tandem.baseUrl}/posts/${id}`, { headers: { accept: "text/markdown" } })
  ).text();
  const feed = await (await fetch(`${tandem.baseUrl}/feed.rss`)).text();
  for (const { url } of pictures) {
    expect(markdown).toContain(url);
    expect(feed).toContain(url);
  }
});
