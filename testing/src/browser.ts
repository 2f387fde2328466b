import {
  type BrowserContext,
  type BrowserContextOptions,
  type Browser as BrowserProcess,
  chromium,
  type Page,
} from "playwright-core";
import { programOf } from "./programs.ts";

/** A browser with a page of its own; `await using` closes it. */
export interface Browser extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Plays a device that keeps passkeys, whose owner is there and agrees to everything. */
  addVirtualAuthenticator(): Promise<void>;
}

export interface BrowserOptions extends BrowserContextOptions {
  /** The whole Chromium, for what its headless shell can't do, such as showing notifications. */
  fullBrowser?: boolean;
}

type Kind = "chromium" | "chromium-headless-shell";

/** One process of each kind per test worker: starting one takes longer than many a test. Contexts share nothing. */
const shared = new Map<Kind, Promise<BrowserProcess>>();

async function launch(kind: Kind): Promise<BrowserProcess> {
  const browser = await chromium.launch({
    executablePath: await programOf(kind),
    // Tests run as root, where Chromium has no sandbox; it shows nothing but our own pages.
    args: ["--no-sandbox", "--disable-gpu"],
  });
  browser.on("disconnected", () => shared.delete(kind));
  return browser;
}

function sharedBrowser(kind: Kind): Promise<BrowserProcess> {
  const known = shared.get(kind);
  if (known) return known;
  const launched = launch(kind);
  shared.set(kind, launched);
  // The next test tries again.
  launched.catch(() => shared.delete(kind));
  return launched;
}

export async function openBrowser({ fullBrowser, ...options }: BrowserOptions = {}): Promise<Browser> {
  const kind = fullBrowser ? "chromium" : "chromium-headless-shell";
  const context = await (await sharedBrowser(kind)).newContext(options);
  const page = await context.newPage();
  return {
    context,
    page,
    async addVirtualAuthenticator() {
      const line = await context.newCDPSession(page);
      await line.send("WebAuthn.enable");
      await line.send("WebAuthn.addVirtualAuthenticator", {
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
    [Symbol.asyncDispose]: () => context.close(),
  };
}
