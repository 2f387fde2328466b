import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("messages as they come", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const inNavigation = ({ page }: Visitor) => page.getByRole("link", { name: /^Messages/ }).first();
  const stream = "**/api/notifications/stream*";

  /** Opens a page, and waits until it is told what happens. */
  async function openListening({ page }: Visitor, path: string): Promise<void> {
    const listening = page.waitForResponse(stream);
    await page.goto(tandem.baseUrl + path);
    await listening;
  }

  /** How often the browser has asked for messages. */
  function asksOf({ page }: Visitor): () => number {
    let asks = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/api/messages")) asks++;
    });
    return () => asks;
  }

  test.each([
    ["on a desk", {}],
    ["on a phone", phone],
  ])("are counted where one is, %s, until they are seen", async (_where, options) => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await using visitor = await visit(tandem, ada, options);
    await openListening(visitor, "/");
    const link = inNavigation(visitor);
    for (const [i, body] of ["Tea?", "At four?"].entries()) {
      await mary.sendMessage({ username: ada.user.username, body });
      await link.getByText(i === 0 ? "one unread" : "2 unread").waitFor();
    }
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open(`/messages/${mary.user.username}`);
    await visitor.page.getByRole("log").getByText("At four?").waitFor();
    await link.getByText("unread").waitFor({ state: "detached" });
    expect((await ada.listConversations()).unread).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("appear in what is open without being asked for again and again", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await mary.sendMessage({ username: ada.user.username, body: "First" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const asks = asksOf(visitor);
    await page.clock.install();
    await openListening(visitor, `/messages/${mary.user.username}`);
    await mary.sendMessage({ username: ada.user.username, body: "Second" });
    await page.getByRole("log").getByText("Second").waitFor();
    await expect.poll(async () => (await ada.listConversations()).unread).toBe(0);
    const before = asks();
    for (let i = 0; i < 10; i++) {
      await page.clock.fastForward(20_000);
      await page.evaluate(() => fetch("/healthz"));
    }
    // What the last message gave cause for may still have been under way.
    expect(asks() - before).toBeLessThan(10);
  });

  test("appear though they come while the page still asks for the latest", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await mary.sendMessage({ username: ada.user.username, body: "First" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    let [noteAsked, answer] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => {
      noteAsked = resolve;
    });
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(
      `**/api/messages/${mary.user.username}`,
      async (route) => {
        const response = await route.fetch();
        noteAsked();
        await held;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await openListening(visitor, `/messages/${mary.user.username}`);
    await asked;
    await mary.sendMessage({ username: ada.user.username, body: "Second" });
    await inNavigation(visitor).getByText("unread").waitFor();
    answer();
    await page.getByRole("log").getByText("Second").waitFor();
  });

  test("are looked for now and then where no stream can be had", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await mary.sendMessage({ username: ada.user.username, body: "First" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await page.route(stream, (route) => route.abort());
    await visitor.open(`/messages/${mary.user.username}`);
    await page.getByRole("log").getByText("First").waitFor();
    await mary.sendMessage({ username: ada.user.username, body: "Second" });
    await page.getByRole("log").getByText("Second").waitFor();
    await inNavigation(visitor).getByText("unread").waitFor({ state: "detached" });
  });
});
