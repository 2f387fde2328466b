import {
  type BrowserContextOptions,
  type Browser as BrowserProcess,
  type CDPSession,
  type BrowserContext as Context,
  chromium,
  type Disposable,
  type Page,
} from "playwright-core";
import { programOf } from "./programs.ts";

/** A browser with one page, which shares nothing with other open ones; `await using` closes it. */
export interface Browser extends AsyncDisposable {
  context: Context;
  page: Page;
  /** Runs a script in the page. Its tab compiles it only once, unlike what is run by `page.evaluate`. */
  runScript(source: string): Promise<void>;
  /** Adds a virtual device with passkeys, whose user approves everything. */
  addVirtualAuthenticator(): Promise<void>;
}

/** What an open page can still change. */
type Looks = Pick<BrowserContextOptions, "viewport" | "colorScheme" | "reducedMotion">;

export interface BrowserOptions
  extends Looks,
    Pick<BrowserContextOptions, "locale" | "hasTouch" | "isMobile" | "serviceWorkers"> {
  /** Use full Chromium, for features that the headless shell lacks, such as notifications. */
  fullBrowser?: boolean;
}

type Kind = "chromium" | "chromium-headless-shell";

/** One process of each kind per test worker, because starting one takes longer than many tests. */
const shared = new Map<Kind, Promise<BrowserProcess>>();

/**
 * Tests open each page only once, so optimizing its scripts takes longer than it saves. Compiling them without optimizing saves a twentieth.
 * Benchmarks run them as people's browsers do.
 */
const scriptFlags = process.env.VITEST ? ["--js-flags=--no-opt --no-maglev --always-sparkplug"] : [];

async function launch(kind: Kind): Promise<BrowserProcess> {
  const browser = await chromium.launch({
    executablePath: await programOf(kind),
    args: [
      // Chromium has no sandbox when run as root. It only opens our own pages.
      "--no-sandbox",
      "--disable-gpu",
      "--force-prefers-reduced-motion",
      // Each context still has a process, but there is no spare one.
      "--renderer-process-limit=1",
      ...scriptFlags,
    ],
  });
  browser.on("disconnected", () => shared.delete(kind));
  return browser;
}

function sharedBrowser(kind: Kind): Promise<BrowserProcess> {
  const running = shared.get(kind);
  if (running) return running;
  const launched = launch(kind);
  shared.set(kind, launched);
  // After a failure, the next test launches again.
  launched.catch(() => shared.delete(kind));
  return launched;
}

/** Ends this process's browsers. Programs call this at their end; tests needn't, as their workers are ended. */
export async function closeBrowsers(): Promise<void> {
  await Promise.all([...shared.values()].map(async (browser) => (await browser).close()));
}

/** A browser context with one page. */
interface Tab {
  context: Context;
  page: Page;
  devTools: CDPSession;
  origins: Set<string>;
  /** Undo what a test changed. */
  undo: (() => Promise<void>)[];
  /** Whether a test changed what can't be undone. */
  isAltered: boolean;
}

/**
 * Emptied tabs, by the options of their context. A new tab has a new process, which takes half a second of processor time more to
 * show its first page than for each later one. So the next test gets the tab of an earlier one.
 */
const emptied = new Map<string, Tab[]>();

export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const {
    viewport = { width: 1280, height: 720 },
    colorScheme = "light",
    reducedMotion = "no-preference",
    ...fixed
  } = options;
  const key = JSON.stringify(fixed, Object.keys(fixed).sort());
  const tab = takeOpen(key) ?? (await newTab(fixed));
  const { context, page, devTools, origins } = tab;
  await Promise.all([
    viewport && page.setViewportSize(viewport),
    page.emulateMedia({ ...notEmulated, media: null, ...emulated({ colorScheme, reducedMotion }) }),
  ]);
  page.on("framenavigated", (frame) => origins.add(new URL(frame.url()).origin));
  return {
    context,
    page,
    async runScript(source) {
      const { exceptionDetails } = await devTools.send("Runtime.evaluate", {
        expression: source,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
    },
    async addVirtualAuthenticator() {
      const session = await context.newCDPSession(page);
      await session.send("WebAuthn.enable");
      await session.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
    },
    async [Symbol.asyncDispose]() {
      if (await empty(tab)) keep(key, tab);
      else await context.close();
    },
  };
}

/** Everything as the browser has it; Playwright's defaults are emulated. */
const notEmulated = { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null };

/**
 * What has to be emulated to show a page so. What the browser does anyway isn't, because with an emulated setting, each navigation computes all
 * styles and positions of the page that it leaves again, which takes a quarter of its time.
 */
export function emulated({ colorScheme, reducedMotion }: Pick<Looks, "colorScheme" | "reducedMotion">) {
  return {
    colorScheme: colorScheme === "light" ? null : colorScheme,
    reducedMotion: reducedMotion === "reduce" ? null : reducedMotion,
  };
}

function takeOpen(key: string): Tab | undefined {
  const tabs = emptied.get(key) ?? [];
  let tab = tabs.pop();
  while (tab?.page.isClosed()) tab = tabs.pop();
  return tab;
}

function keep(key: string, tab: Tab): void {
  emptied.set(key, [...(emptied.get(key) ?? []), tab]);
}

async function newTab({ fullBrowser, ...options }: BrowserOptions): Promise<Tab> {
  const browser = await sharedBrowser(fullBrowser ? "chromium" : "chromium-headless-shell");
  const context = await browser.newContext({ ...notEmulated, ...options });
  // Twice the default, for busy machines.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const tab: Tab = { context, page, devTools, origins: new Set(), undo: [], isAltered: false };
  const alter = () => {
    tab.isAltered = true;
  };
  for (const name of ["exposeBinding", "exposeFunction"]) onEachCall(context, name, alter);
  for (const name of ["exposeBinding", "exposeFunction", "setDefaultTimeout"]) onEachCall(page, name, alter);
  onEachCall(page.clock, "install", alter);
  const removeLater = (script: Promise<Disposable>) => tab.undo.push(async () => (await script).dispose());
  onEachCall(context, "addInitScript", removeLater);
  onEachCall(page, "addInitScript", removeLater);
  onEachCall(context, "newCDPSession", (session: Promise<CDPSession>) =>
    // A test may have detached it.
    tab.undo.push(async () => (await session).detach().catch(() => {})),
  );
  return tab;
}

/** Passes what each call returns to another function, too. */
function onEachCall<Result>(target: object, name: string, act: (result: Result) => void): void {
  const original: (...args: unknown[]) => Result = Reflect.get(target, name);
  Reflect.set(target, name, (...args: unknown[]) => {
    const result = Reflect.apply(original, target, args);
    act(result);
    return result;
  });
}

/** What tests listen to. */
const events = [
  ...["console", "dialog", "download", "framenavigated", "pageerror"],
  ...["request", "requestfailed", "requestfinished", "response"],
];

/** Returns a tab to what it was when new, except for the browser's cache of files. Returns false if that isn't possible. */
async function empty({ context, page, devTools, origins, undo, isAltered }: Tab): Promise<boolean> {
  const [origin, ...others] = [...origins].filter((one) => one.startsWith("http"));
  if (isAltered || !origin || others.length > 0) return false;
  for (const event of events) page.removeAllListeners(event);
  const otherPages = context.pages().filter((one) => one !== page);
  try {
    await Promise.all([
      ...undo.splice(0).map((revert) => revert()),
      context.setOffline(false),
      context.clearPermissions(),
      page.unrouteAll({ behavior: "ignoreErrors" }),
      ...otherPages.map((one) => one.close()),
    ]);
    // A page without scripts. The app may still write to its storage when the reader leaves it.
    await page.goto(`${origin}/robots.txt`);
    await page.evaluate(() => sessionStorage.clear());
    await Promise.all([
      context.clearCookies(),
      // A service worker would write to its cache again.
      devTools.send("Storage.clearDataForOrigin", { origin, storageTypes: "service_workers" }).then(() =>
        devTools.send("Storage.clearDataForOrigin", {
          origin,
          storageTypes: "local_storage,indexeddb,cache_storage",
        }),
      ),
      devTools.send("Page.resetNavigationHistory"),
      page.mouse.move(0, 0),
    ]);
  } catch {
    return false;
  }
  origins.clear();
  return true;
}
