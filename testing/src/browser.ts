import {
  type BrowserContext,
  type BrowserContextOptions,
  type Browser as BrowserProcess,
  chromium,
  type Page,
} from "playwright-core";
import { programOf } from "./programs.ts";

/** A browser context with one page; `await using` closes it. */
export interface Browser extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Adds a virtual device with passkeys, whose user approves everything. */
  addVirtualAuthenticator(): Promise<void>;
}

export interface BrowserOptions extends BrowserContextOptions {
  /** Use full Chromium, for features that the headless shell lacks, such as notifications. */
  fullBrowser?: boolean;
}

type Kind = "chromium" | "chromium-headless-shell";

/** One process of each kind per test worker, because starting one takes longer than many tests. Contexts share nothing. */
const shared = new Map<Kind, Promise<BrowserProcess>>();

async function launch(kind: Kind): Promise<BrowserProcess> {
  const browser = await chromium.launch({
    executablePath: await programOf(kind),
    // Chromium has no sandbox when run as root. It only opens our own pages.
    args: ["--no-sandbox", "--disable-gpu"],
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

export async function openBrowser({ fullBrowser, ...options }: BrowserOptions = {}): Promise<Browser> {
  const kind = fullBrowser ? "chromium" : "chromium-headless-shell";
  const context = await (await sharedBrowser(kind)).newContext(options);
  const page = await context.newPage();
  return {
    context,
    page,
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
    [Symbol.asyncDispose]: () => context.close(),
  };
}
