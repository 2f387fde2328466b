import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { type BrowserOptions, openBrowser } from "./browser.ts";
import type { Caller } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

declare global {
  interface Window {
    axe: typeof axeCore;
  }
}

/** A user of the web app with their own browser. */
export interface Visitor extends AsyncDisposable {
  page: Page;
  /** Opens an address of the service and waits until the page is hydrated. */
  open(path: string): Promise<void>;
  /** Script errors and violations of the security policy so far. */
  browserErrors: string[];
  /** Violations of WCAG 2.2 AA that axe finds on the current page, one sentence each. */
  axeViolations(): Promise<string[]>;
  /** Adds a virtual device with passkeys. */
  addVirtualAuthenticator(): Promise<void>;
}

export type VisitorOptions = Pick<
  BrowserOptions,
  | "fullBrowser"
  | "viewport"
  | "colorScheme"
  | "locale"
  | "reducedMotion"
  | "hasTouch"
  | "isMobile"
  | "serviceWorkers"
>;

/** A phone's viewport. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true } satisfies VisitorOptions;

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** This rule only asks people to look, and takes a tenth of the time. */
const rules: RunOptions["rules"] = { "hidden-content": { enabled: false } };

/**
 * Resolves once the page is hydrated; rejects after a minute. Runs in the page. A locator polls ever less often, which would add up to a
 * quarter of a second, and `waitForFunction` takes 50 milliseconds of processor time to get Playwright's own script into the page.
 */
export function untilAlive(): Promise<void> {
  const root = document.documentElement;
  return new Promise((resolve, reject) => {
    // As long as Playwright waits. It has no limit for scripts.
    const impatience = setTimeout(() => reject(new Error(`${location} isn't interactive`)), 60_000);
    const look = () => {
      if (!("alive" in root.dataset)) return;
      clearTimeout(impatience);
      changes.disconnect();
      resolve();
    };
    const changes = new MutationObserver(look);
    changes.observe(root, { attributes: true });
    look();
  });
}

let axeSource: Promise<string> | undefined;

function axe(): Promise<string> {
  // Without a result, which would be sent back.
  axeSource ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8").then(
    (source) => `${source};undefined`,
  );
  return axeSource;
}

/** Opens a browser, logged in as the caller whose cookie it has, or anonymous. */
export async function visit(tandem: Tandem, as?: Caller, options: VisitorOptions = {}): Promise<Visitor> {
  const browser = await openBrowser({
    locale: "en-GB",
    reducedMotion: "reduce",
    // Tests that intercept requests can't see those of a service worker.
    serviceWorkers: "block",
    ...options,
  });
  tandem.openedByBrowser();
  const { page, context } = browser;
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
  });
  const cookie = as?.options.headers?.cookie;
  if (cookie) {
    const pairs = cookie.split("; ").map((pair) => pair.split("=") as [string, string]);
    await context.addCookies(pairs.map(([name, value]) => ({ name, value, url: tandem.baseUrl })));
  }
  return {
    page,
    browserErrors: complaints,
    addVirtualAuthenticator: () => browser.addVirtualAuthenticator(),
    async open(path) {
      await page.goto(tandem.baseUrl + path);
      await page.evaluate(untilAlive);
    },
    async axeViolations() {
      // A page is dimmed while the next one is on its way.
      const busy = "#main[aria-busy]";
      // Seldom true, and a locator gets Playwright's script into the page.
      if (await page.evaluate((selector) => document.querySelector(selector) !== null, busy))
        await page.locator(busy).waitFor({ state: "detached" });
      // axe would measure wrong values for content that isn't rendered yet.
      const isLoaded = await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("* { content-visibility: visible !important }");
        document.adoptedStyleSheets = [sheet];
        return "axe" in window;
      });
      // The page's security policy doesn't apply to scripts run by the inspector.
      if (!isLoaded) await browser.runScript(await axe());
      return page.evaluate(
        async ({ tags, rules }) => {
          // Details of what is right would take a quarter of the time.
          const { violations } = await window.axe.run({ runOnly: tags, rules, resultTypes: ["violations"] });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`),
          );
        },
        { tags: wcag, rules },
      );
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}
