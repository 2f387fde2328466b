import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { programOf } from "./programs.ts";

/** A browser with a page of its own; `await using` closes it. */
export interface Browser extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Plays a device that keeps passkeys, whose owner is there and agrees to everything. */
  plugInDevice(): Promise<void>;
}

export async function openBrowser(options: BrowserContextOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await programOf("chromium"),
    // Tests run as root, where Chromium has no sandbox; it shows nothing but our own pages.
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const context = await browser.newContext(options);
  const page = await context.newPage();
  return {
    context,
    page,
    async plugInDevice() {
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
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
