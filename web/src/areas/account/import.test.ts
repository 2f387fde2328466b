import { outboxOf } from "@tandem/testing/archives";
import { startTandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

test("people import an export, and see what became of it", async () => {
  await using tandem = await startTandem("sqlite");
  const ada = await tandem.as.human("ada");
  await using visitor = await visit(tandem, ada);
  const { page, browserErrors } = visitor;
  await page.goto(`${tandem.baseUrl}/settings/import`);
  await page.getByRole("radio", { name: "X", exact: true }).check();
  await page.getByText("It contains no bookmarks").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(2);
  await page.getByRole("radio", { name: "Mastodon" }).check();
  const button = page.getByRole("button", { name: "Import", exact: true });
  expect(await button.isDisabled()).toBe(true);
  const upload = async (name: string, text: string) => {
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) };
    await page.getByLabel("Choose file").setInputFiles(file);
    await page.getByText(name).waitFor();
    await button.click();
  };
  await upload(
    "outbox.json",
    outboxOf({ content: "<p>Looms and engines, *both*</p>" }, { inReplyTo: "https://a.example/1" }),
  );
  await page.getByText("Imported: 1").waitFor();
  await page.getByText("Replies, skipped: 1").waitFor();
  await upload("following_accounts.csv", "Account address\nno@far.example\n");
  await page.getByText("Not found here: 1").waitFor();
  await page.getByText("What wasn’t found here").click();
  await page.getByText("no@far.example").waitFor();
  expect(await visitor.axeViolations()).toEqual([]);
  await upload("outbox.json", "hello");
  await page.getByText("This file contains nothing that this platform exports").waitFor();

  // One that added nothing is only taken off the list.
  await page.getByRole("button", { name: "Remove from the list" }).click();
  await page
    .getByText("This file contains nothing that this platform exports")
    .waitFor({ state: "detached" });
  // The newest is undone, and no longer listed.
  const undo = page.getByRole("button", { name: "Undo this import" });
  await undo.first().click();
  const dialog = page.getByRole("dialog", { name: "Undo this import?" });
  expect(await visitor.axeViolations()).toEqual([]);
  await dialog.getByRole("button", { name: "Undo this import" }).click();
  await page.getByText("Not found here: 1").waitFor({ state: "detached" });
  await undo.nth(1).waitFor({ state: "detached" });

  await page.getByRole("link", { name: "View imported posts" }).click();
  const post = page.getByRole("article");
  await post.getByRole("paragraph").filter({ hasText: "Looms and engines" }).waitFor();
  await post.getByText("Origin unknown").waitFor();
  expect(await post.getByRole("link", { name: "Mastodon" }).getAttribute("href")).toBe(
    "https://social.example/@ada/0",
  );
  expect(await visitor.axeViolations()).toEqual([]);
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await post.waitFor({ state: "detached" });
  // Without a title, its first words are its name, without markup.
  const [imported] = (await ada.listPosts({ author: "ada", imported: 1 })).posts;
  expect(imported).toMatchObject({ title: null, body: String.raw`Looms and engines, \*both\*` });
  await visitor.open(`/posts/${imported?.id}`);
  await page.getByRole("heading", { name: "Looms and engines, *both*", level: 1 }).waitFor();
  expect(await page.title()).toMatch(/^Looms and engines, \*both\*/);
  // What was used since stays, and the page says so.
  await ada.pinPost({ id: imported?.id ?? 0 });
  await page.goto(`${tandem.baseUrl}/settings/import`);
  await undo.click();
  await dialog.getByRole("button", { name: "Undo this import" }).click();
  await page.getByText("Some things stay, because you or others have used them since.").waitFor();
  await page.getByText("Kept: 1").waitFor();
  expect(await visitor.axeViolations()).toEqual([]);
  await page.getByRole("button", { name: "Remove from the list" }).click();
  await page.getByText("Nothing imported yet.").waitFor();
  expect(browserErrors).toEqual([]);
});
