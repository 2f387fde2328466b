import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, openBrowser } from "@tandem/testing/browser";
import { option } from "./options.ts";
import { serve } from "./processes.ts";

/*
 * Frames a second while somebody scrolls through the feed in Chromium: over a thousand posts, against the first page of
 * the same feed in the same run. A phone's processor is played by one that is four times slower. It draws without a
 * graphics card, as machines for tests have none.
 *
 *   npm run bench:scroll [-- --posts 1000 --seconds 5]
 */

const posts = option("posts", 1000);
const seconds = option("seconds", 5);
/** Pixels from one frame to the next: somebody who reads, and somebody who looks for the end. */
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
  await using service = await serve("../../server/src/main.ts", env);
  for (const name of Object.keys(devices) as (keyof typeof devices)[]) await measure(service.baseUrl, name);
} finally {
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
    const there = await load(page, many);
    await line.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const told: Told[] = [];
    for (const pace of paces) told.push(await page.evaluate(scroll, { pace, seconds }));
    return { there, told };
  };
  const first = await over(1);
  const all = await over(posts);
  paces.forEach((pace, i) => {
    const [few, many] = [first.told[i], all.told[i]];
    if (!few || !many) return;
    const ratio = (many.rate / few.rate).toFixed(2);
    console.log(
      `${name.padEnd(6)} ${pace} px a frame:  ${first.there} posts ${inWords(few)}  ${all.there} posts ${inWords(many)}  ratio ${ratio}`,
    );
  });
}

interface Told {
  /** Frames a second. */
  rate: number;
  /** Milliseconds of the slowest twentieth of frames, at least. */
  slow: number;
}

function inWords({ rate, slow }: Told): string {
  return `${rate.toFixed(1)}/s (p95 ${slow.toFixed(1)} ms)`;
}

/** Goes down until so many posts are there, and up again; gives back how many there are. */
async function load(page: Browser["page"], many: number): Promise<number> {
  let there = 0;
  for (let patience = 600; there < many && patience > 0; patience--) {
    there = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      return document.querySelectorAll("[data-post]").length;
    });
    await pause(100);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await pause(1000);
  return there;
}

/** In the page: scrolls at a pace, from the top again where what is there ends, so that nothing more is loaded. */
async function scroll({ pace, seconds }: { pace: number; seconds: number }): Promise<Told> {
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
