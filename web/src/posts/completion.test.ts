import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, type VisitorOptions, visit } from "@tandem/testing/visitor";
import type { Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countTags } from "../../../server/src/features/tags/count-tags.ts";

describe("mentions and hashtags while typing", () => {
  let tandem: Tandem;
  let ada: Person;
  let postId: number;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
    const anna = await tandem.as.human("anna_popular");
    await anna.editProfile({ displayName: "Anna P." });
    const quiet = await tandem.as.human("anna_quiet");
    await tandem.as.agent(anna, "anna.bot");
    await quiet.follow({ platform: "native", author: "anna_popular" });
    const { post } = await anna.createPost({ title: "On #weaving and #welding" });
    postId = post.id;
    await quiet.createComment({ id: post.id, body: "#weaving and #welding" });
    await ada.createComment({ id: post.id, body: "#weaving" });
    await countTags(tandem.services, new AbortController().signal);
  });
  afterAll(() => tandem.stop());

  /** Of the list, not of the selects of the page. */
  const options = ({ page }: Visitor) => page.locator("[popover]").getByRole("option");
  const names = async (visitor: Visitor) =>
    (await options(visitor).allInnerTexts()).map((text) => text.split("\n").join(" "));
  const writing = async (path: string, label: string, more: VisitorOptions = {}) => {
    const visitor = await visit(tandem, ada, more);
    await visitor.open(path);
    const field = visitor.page.getByLabel(label, { exact: true });
    await field.click();
    return { visitor, field, page: visitor.page };
  };

  test("complete by keyboard in a new post, without a request per key", async () => {
    const { visitor, field, page } = await writing("/compose", "Text");
    await using _ = visitor;
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/suggestions?"))
        asked.push(new URL(request.url()).searchParams.get("q") ?? "");
    });
    // The time between two keys is none of this test's business: on a busy machine it is long.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.type("Hello @an");
    expect(asked).toEqual([]);
    await page.clock.runFor(1000);
    await page.clock.resume();
    await options(visitor).first().waitFor();
    expect(await names(visitor)).toEqual([
      "AP Anna P. @anna_popular",
      expect.stringContaining("@anna.bot AI agent"),
      "AQ anna_quiet @anna_quiet",
    ]);
    expect(asked).toEqual(["an"]);
    expect(await visitor.axeViolations()).toEqual([]);
    const active = async () => {
      const id = await field.getAttribute("aria-activedescendant");
      return page.locator(`[id="${id}"][aria-selected=true]`).innerText();
    };
    expect(await active()).toContain("@anna_popular");
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    expect(await active()).toContain("@anna_quiet");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("Hello @anna_quiet ");
    await expect.poll(() => options(visitor).count()).toBe(0);
    expect(await field.getAttribute("aria-controls")).toBeNull();
    // Escape closes it for this mention, and Tab then leaves the field.
    await page.keyboard.type("and @anna.b");
    await options(visitor).first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => options(visitor).count()).toBe(0);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type("o, @ann");
    await options(visitor).first().waitFor();
    await page.keyboard.press("Tab");
    expect(await field.inputValue()).toBe("Hello @anna_quiet and @anna.bo, @anna_popular ");
    // It can be undone like what is typed.
    await page.keyboard.press("Control+z");
    expect(await field.inputValue()).toContain("@ann");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("complete by pointer in a comment; Enter adds a line while no hashtag is chosen", async () => {
    const { visitor, field, page } = await writing(`/posts/${postId}`, "Your comment");
    await using _ = visitor;
    await page.keyboard.type("#we");
    await options(visitor).first().waitFor();
    expect(await names(visitor)).toEqual(["#weaving 3 people", "#welding 2 people"]);
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("#we\n");
    await page.keyboard.type("#we");
    await options(visitor).filter({ hasText: "welding" }).click();
    expect(await field.inputValue()).toBe("#we\n#welding ");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type("@anna_q");
    await options(visitor).first().click();
    expect(await field.inputValue()).toBe("#we\n#welding @anna_quiet ");
  });

  test("Enter completes a message's mention before it sends the message", async () => {
    const { visitor, field, page } = await writing("/messages/anna_popular", "Message to Anna P.");
    await using _ = visitor;
    await page.keyboard.type("Ask @anna_qu");
    await options(visitor).first().waitFor();
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("Ask @anna_quiet ");
    // As long as it is suggested, also one that is typed to its end.
    await page.keyboard.press("Backspace");
    await options(visitor).first().waitFor();
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("Ask @anna_quiet ");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("");
    await page.getByText("Ask @anna_quiet", { exact: true }).waitFor();
  });

  test("a late response doesn't replace a newer one", async () => {
    const { visitor, page } = await writing("/compose", "Text");
    await using _ = visitor;
    const held: Route[] = [];
    await page.route(/q=a$/, (route) => void held.push(route));
    await page.keyboard.type("@a");
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.type("nna.");
    await options(visitor).first().waitFor();
    expect(await names(visitor)).toHaveLength(1);
    await held[0]
      ?.fulfill({
        json: { accounts: [{ username: "anna.late", displayName: null, avatarUrl: null, isAgent: false }] },
      })
      .catch(() => {});
    await page.keyboard.press("ArrowDown");
    expect(await names(visitor)).toEqual([expect.stringContaining("@anna.bot")]);
  });

  test.each([
    ["a phone whose keyboard takes part of the window", { ...phone }, "Text", "ltr"],
    ["a phone, from right to left", { ...phone, locale: "ar" }, "النص", "rtl"],
    ["a wide screen, from right to left", { locale: "ar" }, "النص", "rtl"],
  ] as const)("the list is next to the text on %s", async (_name, more, label, direction) => {
    const { visitor, field, page } = await writing("/compose", label, more);
    await using _ = visitor;
    if ("viewport" in more) await page.setViewportSize({ width: 390, height: 430 });
    await page.keyboard.type("One\nTwo\nThree\nFour @anna");
    await options(visitor).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dir || "ltr")).toBe(direction);
    const list = await page
      .getByRole("listbox")
      .evaluate((element) => element.getBoundingClientRect().toJSON());
    const { height } = page.viewportSize() ?? { height: 0 };
    // Nothing is drawn in the space that is kept for a scroll bar.
    const drawn = await page.evaluate(() => document.documentElement.getBoundingClientRect().toJSON());
    expect(list.left).toBeGreaterThanOrEqual(drawn.left);
    expect(list.right).toBeLessThanOrEqual(drawn.right);
    expect(list.top).toBeGreaterThanOrEqual(0);
    expect(list.bottom).toBeLessThanOrEqual(height);
    expect(list.height).toBeGreaterThan(100);
    // Each option can be reached by a tap, so nothing covers the list.
    await options(visitor).last().click();
    expect(await field.inputValue()).toBe("One\nTwo\nThree\nFour @anna_quiet ");
  });
});
