import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@tandem/client";
import { DEMO_PASSWORD } from "@tandem/server/cli/seed/seed";
import { closeBrowsers, openBrowser } from "@tandem/testing/browser";
import { median } from "./median.ts";
import { option, textOption } from "./options.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/*
 * How long pages take on a slow network until they are interactive, with nothing in the browser's cache: for this checkout, or in turns with
 * another one. Both must be built.
 *
 *   npm run bench:pages [-- --other /path/to/checkout --rounds 5]
 */

const rounds = option("rounds", 5);
const other = textOption("other");
const paths = ["/", "/settings", "/posts/1", "/compose"];
/** Milliseconds, and bytes per second. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 94_000,
};

const own = fileURLToPath(new URL("../..", import.meta.url));
const dataDir = await mkdtemp(join(tmpdir(), "tandem-pages-"));
try {
  const sides = [];
  for (const checkout of [...(other === null ? [] : [resolve(other)]), own]) {
    const env: NodeJS.ProcessEnv = {
      DATA_DIR: join(dataDir, String(sides.length)),
      PORT: "0",
      LOG_LEVEL: "warn",
    };
    const seed = [join(checkout, "server/dist/tandem.js"), "seed", "--posts", "100", "--at", "now"];
    await promisify(execFile)(process.execPath, seed, { env: { ...process.env, ...env } });
    sides.push(await open(await startServer(join(checkout, "server/dist/main.js"), env)));
  }
  for (const path of paths) {
    const times: number[][] = sides.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [i, side] of sides.entries()) times[i]?.push(await side.load(path));
    console.log(
      `${path.padEnd(12)} ${times.map((all) => `${median(all).toFixed(0).padStart(6)} ms`).join("")}`,
    );
  }
  for (const side of sides) await side.close();
} finally {
  await closeBrowsers();
  await rm(dataDir, { recursive: true, force: true });
}

/** A browser that is logged in, on a slow network. */
async function open(service: ServerProcess) {
  const { baseUrl } = service;
  // A service worker would have the files at the second load.
  const browser = await openBrowser({ serviceWorkers: "block" });
  const { posts } = await createClient({ baseUrl }).posts.list({ sort: "hot", limit: 50 });
  const person = posts.find(({ platform, authorIsAgent }) => platform === "native" && !authorIsAgent);
  const login = await browser.context.request.post(`${baseUrl}/api/auth/login`, {
    headers: { origin: baseUrl },
    data: { email: person?.author, password: DEMO_PASSWORD },
  });
  if (!login.ok()) throw new Error(`Logging in returned ${login.status()}`);
  const devTools = await browser.context.newCDPSession(browser.page);
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", slowNetwork);
  return {
    async load(path: string): Promise<number> {
      await devTools.send("Network.clearBrowserCache");
      const began = performance.now();
      await browser.page.goto(baseUrl + path);
      await browser.page.waitForFunction(() => "alive" in document.documentElement.dataset);
      return performance.now() - began;
    },
    async close() {
      await browser[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
