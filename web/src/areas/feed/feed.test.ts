import type { Person } from "@tandem/testing/callers";
import { faultsOf } from "@tandem/testing/looks";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

declare global {
  interface Window {
    /** Layout shifts since the page loaded. */
    shifts: string[];
  }
}

describe("the feed", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    const agent = await tandem.as.agent(ada, "loom_bot");
    const image = new Blob([new Uint8Array(await drawPicture({ width: 900, height: 600 }))]);
    for (let i = 1; i <= 24; i++) await ada.createPost({ title: `Note ${i}`, body: "On engines." });
    await agent.createPost({ title: "Woven by itself", body: "No hand touched it." });
    const { product } = await ada.createProduct({
      title: "A fine teapot",
      url: "https://example.org/teapot",
      price: "12.50 EUR",
    });
    await ada.createPost({ title: "With tea", productIds: [product.id] });
    await ada.createPost({ title: "Looms", url: "https://example.org/looms" });
    await ada.createPost({ title: "A picture", alt: "Four corners.", image });
  });
  afterAll(() => tandem.stop());

  const card = ({ page }: Visitor, title: string) =>
    page.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

  test("shows every post once while scrolling, without layout shifts", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await page.addInitScript(() => {
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = Object(entry);
          const moved = sources.map(({ node }: { node: Element | null }) => node?.outerHTML?.slice(0, 120));
          if (value > 0.001) window.shifts.push(`${value}: ${moved}`);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await visitor.open("/");
    await page.mouse.move(640, 400);
    while ((await card(visitor, "Note 1").count()) === 0) {
      await page.mouse.wheel(0, 400);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    const titles = await page.getByRole("article").getByRole("heading").allTextContents();
    expect(titles.length).toBe(28);
    expect(new Set(titles).size).toBe(28);

    // While another list is on its way, only its tab is current, and this one steps back.
    let resume = () => {};
    const mayContinue = new Promise<void>((resolve) => {
      resume = resolve;
    });
    await page.route("**/api/posts?*sort=hot*", async (route) => {
      await mayContinue;
      await route.continue();
    });
    const tabs = page.getByRole("navigation", { name: "Choose a feed" });
    const current = () => tabs.locator("a[aria-current=page]").allTextContents();
    const list = () => page.getByRole("feed").evaluate((feed) => getComputedStyle(feed).opacity);
    const entry = page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Feed" });
    expect([await current(), await entry.getAttribute("aria-current")]).toEqual([["New"], "page"]);
    await tabs.getByRole("link", { name: "Hot" }).click();
    await expect.poll(list).toBe("0.45");
    expect([await current(), await entry.getAttribute("aria-current")]).toEqual([["Hot"], "true"]);
    resume();
    await expect.poll(list).toBe("1");
    expect([await current(), await entry.getAttribute("aria-current")]).toEqual([["Hot"], "true"]);
    expect(await page.evaluate(() => window.shifts)).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("likes and saves immediately, and reverts if the service fails", async () => {
    const [reader, post] = [await tandem.as.human(), await idOf("Looms")];
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open("/");
    const looms = card(visitor, "Looms");
    await looms.getByRole("button", { name: "Like, 0 likes" }).click();
    await looms.getByRole("button", { name: "1 like", pressed: true }).waitFor();
    await looms.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await reader.readPost({ id: post })).post)
      .toMatchObject({
        liked: true,
        saved: true,
        likeCount: 1,
      });
    await page.route("**/like", (route) =>
      route.fulfill({ status: 500, json: { error: "no", code: "internal" } }),
    );
    await looms.getByRole("button", { name: "1 like" }).click();
    await page.getByText("Something went wrong on our side").waitFor();
    await looms.getByRole("button", { name: "1 like", pressed: true }).waitFor();
    // Saved posts are on their way while another one is saved.
    let resume = () => {};
    const mayContinue = new Promise<void>((resolve) => {
      resume = resolve;
    });
    await page.route("**/api/posts?*saved=1*", async (route) => {
      await mayContinue;
      await route.continue();
    });
    await page.route("**/save", async (route) => {
      await page.waitForRequest("**/api/posts?*saved=1*");
      await route.continue();
    });
    const saved = page.waitForResponse("**/save");
    await card(visitor, "With tea").getByRole("button", { name: "Save" }).click();
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Saved" }).click();
    // An earlier message that a post was saved may still be there.
    await saved;
    await page.getByText("Post saved.").first().waitFor();
    resume();
    await expect.poll(() => page.getByRole("article").count()).toBe(2);
  });

  test("opens a post by a click anywhere on its card, but not where it has links, and shows one mark", async () => {
    const { post } = await ada.createPost({
      title: "Threads",
      body: `Ask @loom_bot about #weaving at https://example.org/looms first. ${"Then read on. ".repeat(30)}`,
    });
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/");
    const threads = card(visitor, "Threads");
    const links = threads.getByRole("link");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/creators/native/ada_l",
      ...[
        `/posts/${post.id}`,
        "/creators/native/loom_bot",
        "/search?q=%23weaving",
        "https://example.org/looms",
      ],
      `/posts/${post.id}`,
      // Like, comment, repost and save.
      ...[`/login?next=%2Fposts%2F${post.id}`, `/posts/${post.id}`],
      ...[`/login?next=%2Fposts%2F${post.id}`, `/login?next=%2Fposts%2F${post.id}`],
    ]);
    expect(await links.nth(1).textContent()).toBe("Threads");
    await threads.getByRole("link", { name: "Read more Threads" }).waitFor();
    // As it is shown: phones show a shorter mark.
    const words = (await card(visitor, "Woven by itself").innerText())
      .replaceAll(/\s+/g, " ")
      .match(/AI agent: AI-generated|AI|Agent/g);
    expect(words).toEqual(["AI agent: AI-generated"]);
    await threads.getByText("Then read on.").click({ force: true });
    await page.waitForURL(`**/posts/${post.id}`);
    await page.goBack();
    await threads.getByRole("link", { name: "#weaving" }).click();
    await page.waitForURL("**/search?q=%23weaving");
    await ada.deletePost({ id: post.id });
  });

  test("dismisses a post, and sends the request only once it can't be undone", async () => {
    const reader = await tandem.as.human();
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    const titles = async () => (await reader.listPosts()).posts.map(({ title }) => title);
    const dismiss = async (title: string) => {
      await card(visitor, title).getByRole("button", { name: "More options for this post" }).click();
      await page.getByRole("menuitem", { name: "Not interested" }).click();
      await card(visitor, title).waitFor({ state: "detached" });
    };
    await visitor.open("/");
    await dismiss("With tea");
    await page.getByRole("button", { name: "Undo" }).click();
    await card(visitor, "With tea").waitFor();
    expect(await titles()).toContain("With tea");
    await dismiss("Looms");
    expect(await titles()).toContain("Looms");
    await page.goto(`${tandem.baseUrl}/about`);
    await expect.poll(titles).not.toContain("Looms");
    expect(await titles()).toContain("With tea");
  });

  test("moves focus to the next post when one is deleted or dismissed by keyboard", async () => {
    const reader = await tandem.as.human();
    const { post: next } = await reader.createPost({ title: "Stays" });
    await ada.createPost({ title: "Dismissed" });
    await reader.createPost({ title: "Deleted" });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open("/");
    const choose = async (title: string, item: string) => {
      await card(visitor, title).getByRole("button", { name: "More options for this post" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: item }).press("Enter");
    };
    const focusedTitle = () => page.locator("article:focus").getByRole("heading").allTextContents();
    await choose("Deleted", "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
    await expect.poll(focusedTitle).toEqual(["Dismissed"]);
    await choose("Dismissed", "Not interested");
    await expect.poll(focusedTitle).toEqual([next.title]);
  });

  test("has keyboard shortcuts, which can be turned off", async () => {
    const reader = await tandem.as.human();
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open("/");
    const focusedTitle = () =>
      page.evaluate(() => document.activeElement?.closest("article")?.querySelector("h2")?.textContent);
    await expect
      .poll(async () => {
        await page.keyboard.press("j");
        return focusedTitle();
      })
      .toBe("A picture");
    await page.keyboard.press("j");
    expect(await focusedTitle()).toBe("Looms");
    await page.keyboard.press("k");
    expect(await focusedTitle()).toBe("A picture");
    await page.keyboard.press("l");
    await page.keyboard.press("s");
    const id = await idOf("A picture");
    await expect
      .poll(async () => (await reader.readPost({ id })).post)
      .toMatchObject({ liked: true, saved: true });
    await page.keyboard.press("?");
    const commands = page.getByRole("dialog").getByLabel("Use keyboard shortcuts");
    await commands.click();
    await expect.poll(() => commands.isChecked()).toBe(false);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("Enter opens the focused post, and / opens search", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/");
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    await page.getByRole("link", { name: "Feed" }).first().click();
    expect(await entries()).toBe(before);
    await expect
      .poll(async () => {
        await page.keyboard.press("j");
        return focused();
      })
      .toBe("ARTICLE");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/posts/*");
    await page.goBack();
    await expect
      .poll(async () => {
        await page.keyboard.press("/");
        return page.evaluate(() => location.pathname);
      })
      .toBe("/search");
    await expect.poll(focused).toBe("INPUT");
    expect(await page.getByRole("combobox", { name: /^Search/ }).inputValue()).toBe("");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("dims or hides AI posts, as stored in members' preferences and visitors' cookies", async () => {
    const reader = await tandem.as.human();
    for (const who of [reader, undefined]) {
      await using visitor = await visit(tandem, who);
      const { page } = visitor;
      await visitor.open("/");
      await page.getByRole("radio", { name: "Dim" }).click();
      const woven = card(visitor, "Woven by itself");
      await woven.getByRole("button", { name: "Show" }).waitFor();
      // The server renders it this way too.
      await page.reload();
      await woven.getByRole("button", { name: "Show" }).click();
      await woven.getByText("No hand touched it.").waitFor();
      await page.getByRole("radio", { name: "Hide" }).click();
      await woven.waitFor({ state: "detached" });
      expect(await (await page.request.get(tandem.baseUrl)).text()).not.toContain("Woven by itself");
      expect(visitor.browserErrors).toEqual([]);
    }
    expect((await reader.readPreferences()).preferences.aiPosts).toBe("hide");
  });

  test("shows how many new posts there are, and the posts after a click", async () => {
    await using visitor = await visit(tandem, await tandem.as.human());
    const { page } = visitor;
    const looked = page.waitForResponse((response) => response.url().includes("fields=id"));
    await visitor.open("/?author=ada_l");
    await looked;
    await ada.createPost({ title: "Fresh one" });
    await ada.createPost({ title: "Fresh two" });
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    const pill = page.getByRole("button", { name: "2 new posts" });
    await pill.waitFor();
    expect(await card(visitor, "Fresh two").count()).toBe(0);
    await pill.click();
    await card(visitor, "Fresh two").waitFor();
    expect(await page.getByRole("article").first().getByRole("heading").textContent()).toBe("Fresh two");
    await pill.waitFor({ state: "detached" });
  });

  test("deletes the reader's own posts after a confirmation, reports others' posts and blocks their authors", async () => {
    const [mallory, reader] = [await tandem.as.human("mallory"), await tandem.as.human()];
    await mallory.createPost({ title: "Buy this" });
    await reader.createPost({ title: "My own" });
    await using visitor = await visit(tandem, reader, phone);
    const { page } = visitor;
    const choose = async (title: string, item: string) => {
      await card(visitor, title).getByRole("button", { name: "More options for this post" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await visitor.open("/");
    await choose("My own", "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await card(visitor, "My own").waitFor({ state: "detached" });
    await page.route("**/api/reports", (route) => route.abort(), { times: 10 });
    await choose("Buy this", "Report");
    await page.getByLabel("Anything else moderators should know?").fill("Twice a day.");
    await page.getByRole("button", { name: "Send report" }).click();
    await page.getByRole("alert").filter({ hasText: "Can't reach Tandem" }).waitFor();
    await page.unroute("**/api/reports");
    await page.getByRole("button", { name: "Send report" }).click();
    await page.getByText("Thank you.").waitFor();
    expect((await reader.listReports()).reports).toMatchObject([{ note: "Twice a day." }]);
    await choose("Buy this", "Block @mallory");
    await page.getByRole("dialog").getByRole("button", { name: "Block @mallory" }).click();
    await expect
      .poll(async () => (await reader.listBlocks()).blocks.map(({ username }) => username))
      .toEqual(["mallory"]);
    await page.getByText("You blocked @mallory.").waitFor();
    expect(await card(visitor, "Buy this").count()).toBe(0);
  });

  test("enlarges an image and shows its description, and counts clicks on products", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/");
    await card(visitor, "A picture")
      .getByRole("button", { name: /Four corners/ })
      .click();
    await page.getByRole("dialog").getByText("Four corners.").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.keyboard.press("Escape");
    const offer = card(visitor, "With tea").getByRole("link", { name: /A fine teapot/ });
    expect(await offer.getAttribute("href")).toMatch(/^\/out\/\d+\?post=\d+$/);
    expect(await offer.getAttribute("rel")).toContain("noopener");
  });

  test("says when the service can't be reached, and continues once it can", async () => {
    await using visitor = await visit(tandem, await tandem.as.human(), {
      viewport: { width: 390, height: 600 },
    });
    const { page } = visitor;
    await visitor.open("/");
    await page.context().setOffline(true);
    const notice = page.getByRole("alert").filter({ hasText: "Can't reach Tandem" });
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return notice.count();
      })
      .toBe(1);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await card(visitor, "Note 1").waitFor({ state: "attached" });
  });

  test("says when a page can't be opened without a connection, and opens it once there is one", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Shop" }).first().click();
    await page.getByText("Can't reach Tandem. Check your connection.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "A fine teapot" }).first().waitFor();
  });

  test("shows the introduction until it is dismissed, and has accessible settings", async () => {
    await using anonymous = await visit(tandem);
    await anonymous.open("/");
    await anonymous.page.getByRole("button", { name: "Dismiss introduction" }).click();
    await anonymous.page.reload();
    expect(await anonymous.page.getByText("side by side.").count()).toBe(0);
    await using member = await visit(tandem, await tandem.as.human());
    await member.open("/?saved=1");
    await member.page.getByRole("button", { name: "Feed settings" }).click();
    const dialog = member.page.getByRole("dialog");
    await dialog.waitFor();
    expect(await faultsOf(member)).toEqual([]);
    // Toasts leave dialogs alone, however high these are.
    for (const viewport of [phone.viewport, { width: 1440, height: 900 }]) {
      await member.page.setViewportSize(viewport);
      const overlap = await dialog.evaluate(async (element) => {
        element.append(Object.assign(document.createElement("pre"), { textContent: "\n".repeat(99) }));
        const toasts = document.querySelector(".toasts");
        for (const text of ["One", "Two\nlines"])
          toasts?.append(
            Object.assign(document.createElement("pre"), { className: "toast", textContent: text }),
          );
        await Promise.all(element.getAnimations().map(({ finished }) => finished));
        const [box, toast] = [
          element.getBoundingClientRect(),
          toasts?.getBoundingClientRect() ?? new DOMRect(),
        ];
        return Math.min(box.bottom, toast.bottom) - Math.max(box.top, toast.top);
      });
      expect([viewport.width, overlap > 0]).toEqual([viewport.width, false]);
    }
    expect([...anonymous.browserErrors, ...member.browserErrors]).toEqual([]);
  });

  async function idOf(title: string): Promise<number> {
    const post = (await ada.listPosts({ q: title })).posts.find((one) => one.title === title);
    return post?.id ?? 0;
  }
});
