import type { Person } from "@tandem/testing/callers";
import { faultsOf } from "@tandem/testing/looks";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("content warnings and sensitive media", () => {
  let tandem: Tandem;
  let ada: Person;
  let warned: number;
  let marked: number;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    const image = new Blob([new Uint8Array(await drawPicture({ width: 900, height: 600 }))]);
    const spoiled = { title: "The last chapter", body: "He wakes up.", contentWarning: "Spoilers", image };
    warned = (await ada.createPost({ ...spoiled, alt: "An empty bed" })).post.id;
    marked = (await ada.createPost({ title: "A slug", alt: "Slime", sensitive: true, image })).post.id;
  });
  afterAll(() => tandem.stop());

  const card = ({ page }: Visitor, title: string) =>
    page.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

  test("hide what they are about until a reader asks, in lists and on the post's page, by keyboard", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    for (const [path, of] of [
      ["/", card(visitor, "The last chapter")],
      [`/posts/${warned}`, page.getByRole("main")],
    ] as const) {
      await visitor.open(path);
      await of.getByText("Spoilers").first().waitFor();
      expect(await of.getByText("He wakes up.").count()).toBe(0);
      expect(await of.getByAltText("An empty bed").count()).toBe(0);
      const show = of.getByRole("button", { name: /Show.*Spoilers/ });
      await show.focus();
      await page.keyboard.press("Enter");
      await of.getByText("He wakes up.").waitFor();
      await of.getByAltText("An empty bed").waitFor();
      await page.keyboard.press("Enter");
      await of.getByText("He wakes up.").waitFor({ state: "detached" });
    }
    for (const [path, of] of [
      ["/", card(visitor, "A slug")],
      [`/posts/${marked}`, page.getByRole("main")],
    ] as const) {
      await visitor.open(path);
      await of.getByRole("button", { name: /Show media/ }).press("Enter");
      await of.getByAltText("Slime").waitFor();
      // The focus stays where the button was.
      await page.waitForFunction(() => document.activeElement?.ariaLabel === "Sensitive media");
      await of.getByRole("button", { name: /Hide media/ }).press("Enter");
      await of.getByRole("button", { name: /Show media/ }).waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Show media"));
      expect(await of.getByAltText("Slime").count()).toBe(0);
    }
  });

  test("look right and are accessible, covered and revealed", async () => {
    await using visitor = await visit(tandem);
    await visitor.open("/");
    expect(await faultsOf(visitor)).toEqual([]);
    await card(visitor, "The last chapter").getByRole("button", { name: /Show/ }).click();
    await card(visitor, "A slug").getByRole("button", { name: /Show/ }).click();
    await card(visitor, "A slug").getByAltText("Slime").waitFor();
    // Nothing is partly behind the bars of a phone.
    await visitor.page.evaluate(() => scrollTo(0, 0));
    expect(await faultsOf(visitor)).toEqual([]);
  });

  test("keep what they hide out of link previews and structured data", async () => {
    const headers = { accept: "text/html" };
    const pageOf = async (id: number) => (await fetch(`${tandem.baseUrl}/posts/${id}`, { headers })).text();
    const headOf = (html: string) => html.slice(0, html.indexOf("</head>"));
    const [spoiled, slug] = [headOf(await pageOf(warned)), headOf(await pageOf(marked))];
    expect(spoiled).toContain('<meta name="description" content="Spoilers">');
    for (const head of [spoiled, slug]) expect(head).toContain('"isFamilyFriendly":false');
    for (const hidden of ["He wakes up", "An empty bed", "/media/"]) expect(spoiled).not.toContain(hidden);
    for (const hidden of ["Slime", "/media/"]) expect(slug).not.toContain(hidden);
    const shown = (
      await ada.createPost({ title: "Open", image: new Blob([new Uint8Array(await drawPicture())]) })
    ).post.id;
    expect(headOf(await pageOf(shown))).toMatch(/og:image" content="[^"]*\/media\//);
  });

  test("are shown at once, first warned of, or left out, as the reader chooses in the settings", async () => {
    const reader = await tandem.as.human();
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open("/settings/content");
    const group = page.getByRole("group", { name: "How to show them" });
    const choose = async (name: string, value: string) => {
      await visitor.open("/settings/content");
      await group.getByRole("radio", { name }).check();
      await expect.poll(async () => (await reader.readPreferences()).preferences.sensitivePosts).toBe(value);
      await visitor.open("/");
    };
    await choose("Always show", "show");
    await card(visitor, "The last chapter").getByText("He wakes up.").waitFor();
    await card(visitor, "A slug").getByAltText("Slime").waitFor();
    await choose("Hide", "hide");
    await page.getByRole("article").first().waitFor();
    expect(await card(visitor, "A slug").count()).toBe(0);
    expect(await card(visitor, "The last chapter").count()).toBe(0);
  });

  test("are written with a new post and edited later", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Text", { exact: true }).fill("What I found under the pot");
    await page.getByRole("button", { name: "Add a content warning" }).click();
    // The field takes the focus.
    await page.keyboard.type("Snails");
    await page.getByText("(from your warning)").waitFor();
    await page.getByLabel("Sensitive media").check();
    expect(await faultsOf(visitor)).toEqual([]);
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    const id = Number(page.url().split("/").at(-1));
    const text = "What I found under the pot";
    // Without a title, the text stays behind the warning as a whole.
    const snails = { title: "Snails", body: text, contentWarning: "Snails", sensitive: true };
    expect((await ada.readPost({ id })).post).toMatchObject(snails);
    await visitor.open(`/posts/${id}/edit`);
    await page.getByLabel("Content warning", { exact: true }).fill("Slugs");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    expect((await ada.readPost({ id })).post).toMatchObject({
      title: "Slugs",
      body: text,
      contentWarning: "Slugs",
    });
    await visitor.open(`/posts/${id}/edit`);
    await page.getByRole("button", { name: "Remove content warning" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    expect((await ada.readPost({ id })).post).toMatchObject({ title: text, body: null });
    expect((await ada.readPost({ id })).post).not.toHaveProperty("contentWarning");
  });
});
