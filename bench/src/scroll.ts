import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, closeBrowsers, openBrowser } from "@tandem/testing/browser";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures frames per second while scrolling the feed in Chromium: with a thousand posts loaded, against the first page of
 * the same feed in the same run. A phone is simulated by a CPU throttled to a quarter. Chromium draws without a graphics
 * card, since test machines have none.
 *
 *   npm run bench:scroll [-- --posts 1000 --seconds 5]
 */

const posts = option("posts", 1000);
const seconds = option("seconds", 5);
/** Pixels per frame: reading, and scrolling fast to the end. */
const paces = [40, 160];

const devices = {
  desk: { viewport: { width: 1440, height: 900 }, slower: 1 },
  phone: { viewport: { width: 390, height: 844 }, slower: 4 },
};

const dataDir = await mkdtemp(join(tmpdir(), "tandem-scroll-"));
try {
  const env = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" };
  const command = fileURLToPath(new URL("../../server/src/cli/tandem.ts", import.meta.url));
  const seed = [command, "seed", "--posts", String(posts * 2), "--at", "now"];
  await promisify(execFile)(process.execPath, seed, { env: { ...process.env, ...env } });
  await using service = await startServer("../../server/src/main.ts", env);
  for (const name of Object.keys(devices) as (keyof typeof devices)[]) await measure(service.baseUrl, name);
} finally {
  await closeBrowsers();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(baseUrl: string, name: keyof typeof devices): Promise<void> {
  const { viewport, slower } = devices[name];
  await using browser = await openBrowser({ viewport });
  const { page, context } = browser;
  await page.goto(baseUrl);
  await page.locator("html[data-alive]").waitFor();
  const line = await context.newCDPSession(page);
  const over = async (many: number) => {
    await line.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    const count = await load(page, many);
    await line.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const stats: FrameStats[] = [];
    for (const pace of paces) stats.push(await page.evaluate(scroll, { pace, seconds }));
    return { count, stats };
  };
  const first = await over(1);
  const all = await over(posts);
  paces.forEach((pace, i) => {
    const [few, many] = [first.stats[i], all.stats[i]];
    if (!few || !many) return;
    const ratio = (many.rate / few.rate).toFixed(2);
    console.log(
      `${name.padEnd(6)} ${pace} px a frame:  ${first.count} posts ${format(few)}  ${all.count} posts ${format(many)}  ratio ${ratio}`,
    );
  });
}

interface FrameStats {
  /** Frames per second. */
  rate: number;
  /** 95th percentile of the milliseconds between two frames. */
  slow: number;
}

function format({ rate, slow }: FrameStats): string {
  return `${rate.toFixed(1)}/s (p95 ${slow.toFixed(1)} ms)`;
}

/** Scrolls down until `many` posts are loaded, then back to the top. Returns how many are loaded. */
async function load(page: Browser["page"], many: number): Promise<number> {
  let count = 0;
  for (let patience = 600; count < many && patience > 0; patience--) {
    count = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      return document.querySelectorAll("[data-post]").length;
    });
    await pause(100);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await pause(1000);
  return count;
}

/** Runs in the page: scrolls at a pace and restarts at the top before the end, so that no more posts load. */
async function scroll({ pace, seconds }: { pace: number; seconds: number }): Promise<FrameStats> {
  const gaps: number[] = [];
  let last = performance.now();
  const end = last + seconds * 1000;
  while (last < end) {
    const now = await new Promise<number>(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
    scrollBy(0, pace);
    if (scrollY + innerHeight * 4 > document.documentElement.scrollHeight) scrollTo(0, 0);
  }
  gaps.sort((a, b) => a - b);
  return { rate: gaps.length / seconds, slow: gaps[Math.floor(gaps.length * 0.95)] ?? 0 };
}
