import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@tandem/client";
import { DEMO_PASSWORD } from "@tandem/server/cli/seed/seed";
import { type Browser, closeBrowsers, openBrowser } from "@tandem/testing/browser";
import { median } from "./median.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures how soon the web app responds on a phone: the time from a tap or key to the next frame (what web vitals call INP),
 * when the largest content is shown (LCP), and how much script a first visit to the feed loads. The phone is simulated by a CPU throttled
 * to a quarter; requests go to this machine. The first tap on something also loads its code, so each is measured on a fresh page.
 *
 *   npm run bench:interactions [-- --rounds 5]
 */

const rounds = option("rounds", 5);
const SLOWER = 4;
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

type Page = Browser["page"];
type Locator = ReturnType<Page["locator"]>;

interface Interaction {
  /** Where it happens; `ID` is a post with comments, `NAME` a person who writes. */
  path: string;
  /** Leads to where it happens; not measured. */
  prepare?(page: Page): Promise<unknown>;
  act(page: Page): Promise<unknown>;
  /** What the reader wants to see. */
  result(page: Page): Locator;
}

const first = (page: Page, role: "button" | "link", name: string | RegExp) =>
  page.getByRole("main").getByRole(role, { name }).first();
const heading = (name: string) => (page: Page) => page.getByRole("heading", { level: 1, name });

const openMenu = (page: Page) => first(page, "button", "More options").tap();
const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

const interactions: Record<string, Interaction> = {
  "open a post's menu": {
    path: "/",
    act: openMenu,
    result: (page) => page.getByRole("menuitem").first(),
  },
  "open the repost menu": {
    path: "/",
    act: (page) => first(page, "button", /^Repost or/).tap(),
    result: (page) => page.getByRole("menuitem").first(),
  },
  "open the report dialog": {
    path: "/",
    prepare: openMenu,
    act: (page) => menuItem(page, "Report").tap(),
    result: (page) => page.getByRole("dialog"),
  },
  "open the collections dialog": {
    path: "/",
    prepare: openMenu,
    act: (page) => menuItem(page, "Add to collection").tap(),
    result: (page) => page.getByRole("dialog"),
  },
  "open the feed's options": {
    path: "/",
    act: (page) => first(page, "button", /options/i).tap(),
    result: (page) => page.getByRole("dialog").or(page.getByRole("menu")).first(),
  },
  "like a post": {
    path: "/",
    act: (page) => first(page, "button", /^Like/).tap(),
    result: (page) => first(page, "button", /^Like/),
  },
  "save a post": {
    path: "/",
    act: (page) => first(page, "button", "Save").tap(),
    result: (page) => first(page, "button", "Save"),
  },
  "choose the hot feed": {
    path: "/",
    act: (page) => first(page, "link", "Hot").tap(),
    result: (page) => page.locator("nav a[aria-current=page]", { hasText: "Hot" }),
  },
  "open a post": {
    path: "/",
    act: (page) => page.getByRole("article").first().getByRole("heading").getByRole("link").tap(),
    result: (page) => page.getByRole("main").getByRole("heading", { level: 1 }),
  },
  "focus the comment form": {
    path: "/posts/ID",
    act: (page) => page.getByLabel("Your comment").tap(),
    result: (page) => page.getByLabel("Your comment").and(page.locator(":focus")),
  },
  "collapse a thread": {
    path: "/posts/ID",
    act: (page) => first(page, "button", /^Collapse/).tap(),
    result: (page) => first(page, "button", /^Expand/),
  },
  "type in the search field": {
    path: "/search",
    act: (page) => page.getByRole("combobox", { name: /^Search/ }).pressSequentially("lo"),
    result: (page) => page.getByRole("option").first(),
  },
  "open the composer": {
    path: "/",
    act: (page) => page.getByRole("link", { name: "Post", exact: true }).last().tap(),
    result: heading("New post"),
  },
  "type a post": {
    path: "/compose",
    act: (page) => page.getByRole("textbox").first().pressSequentially("Hello"),
    result: (page) => page.getByRole("textbox").first(),
  },
  "open the notifications": {
    path: "/",
    act: (page) =>
      page
        .getByRole("link", { name: /Notifications/ })
        .last()
        .tap(),
    result: heading("Notifications"),
  },
  "choose a tab of the notifications": {
    path: "/notifications",
    act: (page) => first(page, "link", "Mentions").tap(),
    result: (page) => page.getByRole("main").locator("a[aria-current=page]", { hasText: "Mentions" }),
  },
  "choose a tab of a profile": {
    path: "/creators/native/NAME",
    act: (page) => first(page, "link", "Comments").tap(),
    result: (page) => page.getByRole("list", { name: "Comments" }),
  },
  "open a section of the settings": {
    path: "/settings",
    act: (page) => first(page, "link", /^Appearance/).tap(),
    result: (page) => page.getByRole("heading", { name: "Appearance" }).first(),
  },
};

reportLoad();
const dataDir = await mkdtemp(join(tmpdir(), "tandem-interactions-"));
try {
  const env = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" };
  const command = fileURLToPath(new URL("../../server/src/cli/tandem.ts", import.meta.url));
  const seed = [command, "seed", "--posts", "800", "--at", "now"];
  await promisify(execFile)(process.execPath, seed, { env: { ...process.env, ...env } });
  await using service = await startServer("../../server/src/main.ts", env);
  const { baseUrl } = service;
  const { posts } = await createClient({ baseUrl }).posts.list({ sort: "hot", limit: 50 });
  const id = posts.toSorted((a, b) => b.commentCount - a.commentCount)[0]?.id;
  // Someone with a profile to look at, but not the author of the feed's first post, whose menu must have Report.
  const [first] = (await createClient({ baseUrl }).posts.list({ limit: 1 })).posts;
  const name = posts.find(
    ({ platform, author, authorIsAgent }) =>
      platform === "native" && !authorIsAgent && author !== first?.author,
  )?.author;
  const address = (path: string) => baseUrl + path.replace("ID", String(id)).replace("NAME", String(name));
  await using browser = await openBrowser(phone);
  await measureFirstFeed(browser, address("/"));
  await browser.context.request.post(`${baseUrl}/api/auth/login`, {
    headers: { origin: baseUrl },
    data: { email: name, password: DEMO_PASSWORD },
  });
  for (const path of ["/", "/posts/ID"]) await measureLoading(browser, path, address(path));
  for (const [what, interaction] of Object.entries(interactions)) {
    const times: { longest: number; shown: number }[] = [];
    for (let round = 0; round < rounds; round++)
      times.push(await timesOf(browser, address(interaction.path), interaction));
    report(
      what,
      times.map(({ longest }) => longest),
      `  result after ${median(times.map(({ shown }) => shown)).toFixed(0)} ms`,
    );
  }
  reportLoad();
} finally {
  await closeBrowsers();
  await rm(dataDir, { recursive: true, force: true });
}

/** How busy the machine is, which every time depends on. */
function reportLoad(): void {
  const began = performance.now();
  for (let i = 0; i < 1e9; i++);
  const seconds = (performance.now() - began) / 1000;
  console.log(`load ${loadavg()[0]?.toFixed(1)}, counting to 1e9 takes ${seconds.toFixed(1)} s`);
}

function report(what: string, times: number[], more = ""): void {
  const [middle, worst] = [median(times), Math.max(...times)].map(
    (time) => `${time.toFixed(0).padStart(5)} ms`,
  );
  console.log(`${what.padEnd(32)} median ${middle}  worst ${worst}${more}`);
}

async function openSlowly({ context }: Browser, address: string): Promise<Page> {
  const page = await context.newPage();
  // Only the context's first page has the size that the browser was opened with.
  await page.setViewportSize(phone.viewport);
  const line = await context.newCDPSession(page);
  await line.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(() => {
    // What earlier rounds left, such as collapsed threads.
    localStorage.clear();
    const seen = { longest: 0, largest: 0, at: 0 };
    Object.assign(window, { seen });
    for (const type of ["click", "keydown", "change"])
      addEventListener(type, ({ timeStamp }) => Object.assign(seen, { at: timeStamp }), true);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
        if (entry.interactionId) seen.longest = Math.max(seen.longest, entry.duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.largest = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
  await page.goto(address);
  await page.locator("html[data-alive]").waitFor();
  return page;
}

interface Seen {
  /** Milliseconds from an interaction to the next frame: the longest. */
  longest: number;
  /** When the largest content was shown: milliseconds. */
  largest: number;
  /** When the last interaction began: milliseconds. */
  at: number;
}

function seenBy(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}

/** Waits until the browser has drawn, and so reported, what happened so far. */
async function frames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
  });
}

async function timesOf(browser: Browser, address: string, { prepare, act, result }: Interaction) {
  const page = await openSlowly(browser, address);
  await frames(page);
  if (prepare) {
    await prepare(page);
    await page.waitForTimeout(1000);
    await frames(page);
    await page.evaluate(() => Object.assign((window as unknown as { seen: Seen }).seen, { longest: 0 }));
  }
  await act(page);
  await result(page).waitFor({ state: "attached" });
  const shown = await page.evaluate(() => performance.now() - (window as unknown as { seen: Seen }).seen.at);
  await page.waitForTimeout(1000);
  await frames(page);
  const { longest } = await seenBy(page);
  await page.close();
  return { longest, shown };
}

async function measureLoading(browser: Browser, path: string, address: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await openSlowly(browser, address);
    await page.waitForTimeout(1000);
    times.push((await seenBy(page)).largest);
    await page.close();
  }
  report(`largest content of ${path}`, times);
}

/** What a stranger's first visit to the feed loads, without a cache: also what comes after the feed can be used. */
async function measureFirstFeed(browser: Browser, address: string): Promise<void> {
  const page = await openSlowly(browser, address);
  const bytes = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  await page.close();
  console.log(`script of a first visit           ${(bytes / 1000).toFixed(1)} kB, compressed`);
}
