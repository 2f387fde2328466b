import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import type { Page } from "playwright-core";
import { type BrowserOptions, openBrowser } from "./browser.ts";
import type { Caller } from "./callers.ts";
import type { Tandem } from "./tandem.ts";

declare global {
  interface Window {
    axe: typeof axeCore;
  }
}

/** Somebody with a browser of their own before the web app. */
export interface Visitor extends AsyncDisposable {
  page: Page;
  /** Opens an address of the service, and waits until the page has come alive. */
  open(path: string): Promise<void>;
  /** What the browser complained of so far: faults of scripts, and what the security policy kept out. */
  browserErrors: string[];
  /** What axe finds against WCAG 2.2 AA on the page as it is, each in a sentence; nothing, if all is well. */
  axeViolations(): Promise<string[]>;
  /** Plays a device that keeps passkeys. */
  addVirtualAuthenticator(): Promise<void>;
}

export type VisitorOptions = Pick<
  BrowserOptions,
  "fullBrowser" | "viewport" | "colorScheme" | "locale" | "reducedMotion" | "hasTouch" | "serviceWorkers"
>;

/** A phone's window. */
export const phone: VisitorOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** A visitor who is signed in as whoever calls by cookie, or a stranger. */
export async function visit(tandem: Tandem, as?: Caller, options: VisitorOptions = {}): Promise<Visitor> {
  const browser = await openBrowser({
    locale: "en-GB",
    reducedMotion: "reduce",
    // What a service worker has asked for, a test of faults on the way can't come between.
    serviceWorkers: "block",
    ...options,
  });
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
      // Asked at every frame: a locator looks ever more rarely, half a second later where a page takes a quarter.
      await page.waitForFunction(() => "alive" in document.documentElement.dataset);
    },
    async axeViolations() {
      // Of what is too far below to be drawn yet, axe would measure what isn't so.
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("* { content-visibility: visible !important }");
        document.adoptedStyleSheets = [sheet];
      });
      // The page's policy keeps scripts out; what its inspector runs isn't asked.
      await page.evaluate(await readFile(axe, "utf8"));
      return page.evaluate(async (tags) => {
        const { violations } = await window.axe.run({ runOnly: tags });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`),
        );
      }, wcag);
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}
