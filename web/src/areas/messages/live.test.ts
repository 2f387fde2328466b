import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("incoming messages", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const inNavigation = ({ page }: Visitor) => page.getByRole("link", { name: /^Messages/ }).first();
  const stream = "**/api/notifications/stream*";

  /** Opens a page and waits until it listens to the event stream. */
  async function openListening({ page }: Visitor, path: string): Promise<void> {
    const listening = page.waitForResponse(stream);
    await page.goto(tandem.baseUrl + path);
    await listening;
  }

  /** Counts the requests for messages. */
  function countRequests({ page }: Visitor): () => number {
    let requestCount = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/api/messages")) requestCount++;
    });
    return () => requestCount;
  }

  test.each([
    ["on desktop", {}],
    ["on a phone", phone],
  ])("are counted as unread %s until they are seen", async (_where, options) => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await using visitor = await visit(tandem, ada, options);
    await openListening(visitor, "/");
    const link = inNavigation(visitor);
    for (const [i, body] of ["Tea?", "At four?"].entries()) {
      await mary.sendMessage({ username: ada.user.username, body });
      await link.getByText(i === 0 ? "1 unread" : "2 unread").waitFor();
    }
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open(`/messages/${mary.user.username}`);
    await visitor.page.getByRole("log").getByText("At four?").waitFor();
    await link.getByText("unread").waitFor({ state: "detached" });
    expect((await ada.listConversations()).unread).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("that were seen aren't counted again by a count from before", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await mary.sendMessage({ username: ada.user.username, body: "Tea?" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    // Never answered.
    await page.route("**/api/messages?limit=1", () => {});
    const cancelled = page.waitForEvent("requestfailed", (request) => request.url().endsWith("?limit=1"));
    await openListening(visitor, `/messages/${mary.user.username}`);
    await cancelled;
  });

  test("appear in the open conversation without polling", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await mary.sendMessage({ username: ada.user.username, body: "First" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const requestCount = countRequests(visitor);
    await page.clock.install();
    await openListening(visitor, `/messages/${mary.user.username}`);
    await mary.sendMessage({ username: ada.user.username, body: "Second" });
    await page.getByRole("log").getByText("Second").waitFor();
    await expect.poll(async () => (await ada.listConversations()).unread).toBe(0);
    const before = requestCount();
    for (let i = 0; i < 10; i++) {
      await page.clock.fastForward(20_000);
      await page.evaluate(() => fetch("/healthz"));
    }
    // Requests caused by the last message may still be in flight.
    expect(requestCount() - before).toBeLessThan(10);
  });

  test("appear even if they arrive while the page is loading", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    await mary.sendMessage({ username: ada.user.username, body: "First" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    let [onRequest, releaseResponse] = [() => {}, () => {}];
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const responseReleased = new Promise<void>((resolve) => {
      releaseResponse = resolve;
    });
    await page.route(
      `**/api/messages/${mary.user.username}`,
      async (route) => {
        const response = await route.fetch();
        onRequest();
        await responseReleased;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await openListening(visitor, `/messages/${mary.user.username}`);
    await requested;
    await mary.sendMessage({ username: ada.user.username, body: "Second" });
    await inNavigation(visitor).getByText("unread").waitFor();
    releaseResponse();
    await page.getByRole("log").getByText("Second").waitFor();
  });

  test("are polled for when there is no event stream", async () => {
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
