import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@tandem/client";
import { DEMO_PASSWORD } from "@tandem/server/cli/seed/seed";
import { closeBrowsers, openBrowser } from "@tandem/testing/browser";
import { untilAlive } from "@tandem/testing/visitor";
import { median } from "./median.ts";
import { option, textOption } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * How long pages take on a slow network until they are interactive, with nothing in the browser's cache: for this checkout, or in turns with
 * another one. Both must be built.
 *
 *   npm run bench:pages [-- --other /path/to/checkout --rounds 5]
 */

const rounds = option("rounds", 5);
const other = textOption("other");
const paths = ["/", "/settings", "/posts/1", "/compose", "/search", "/shop", "/messages", "/communities"];
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
  await using stack = new AsyncDisposableStack();
  const sides: ((path: string) => Promise<number>)[] = [];
  for (const checkout of [...(other === null ? [] : [resolve(other)]), own]) {
    const env: NodeJS.ProcessEnv = {
      DATA_DIR: join(dataDir, String(sides.length)),
      PORT: "0",
      LOG_LEVEL: "warn",
    };
    const seed = [join(checkout, "server/dist/tandem.js"), "seed", "--posts", "100", "--at", "now"];
    await promisify(execFile)(process.execPath, seed, { env: { ...process.env, ...env } });
    const { baseUrl } = stack.use(await startServer(join(checkout, "server/dist/main.js"), env));
    // Closes before the service, which would wait for its connections.
    stack.defer(closeBrowsers);
    sides.push(await loader(baseUrl));
  }
  for (const path of paths) {
    const times: number[][] = sides.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [i, load] of sides.entries()) times[i]?.push(await load(path));
    console.log(
      `${path.padEnd(12)} ${times.map((all) => `${median(all).toFixed(0).padStart(6)} ms`).join("")}`,
    );
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

/** Loads pages in a browser that is logged in, on a slow network. Returns milliseconds. */
async function loader(baseUrl: string): Promise<(path: string) => Promise<number>> {
  // A service worker would have the files at the second load.
  const { context, page } = await openBrowser({ serviceWorkers: "block" });
  const { posts } = await createClient({ baseUrl }).posts.list({ sort: "hot", limit: 50 });
  const person = posts.find(({ platform, authorIsAgent }) => platform === "native" && !authorIsAgent);
  const login = await context.request.post(`${baseUrl}/api/auth/login`, {
    headers: { origin: baseUrl },
    data: { email: person?.author, password: DEMO_PASSWORD },
  });
  if (!login.ok()) throw new Error(`Logging in returned ${login.status()}`);
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", slowNetwork);
  return async (path) => {
    await devTools.send("Network.clearBrowserCache");
    const began = performance.now();
    await page.goto(baseUrl + path);
    await page.evaluate(untilAlive);
    return performance.now() - began;
  };
}
