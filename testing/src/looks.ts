import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { emulated } from "./browser.ts";
import { repeatedNames } from "./repeated-names.ts";
import { smallTargets } from "./small-targets.ts";
import { phone, type Visitor } from "./visitor.ts";

interface Look {
  viewport: { width: number; height: number };
  colorScheme: "light" | "dark";
}
const desktopInLight: Look = { viewport: { width: 1440, height: 900 }, colorScheme: "light" };
const phoneInDark: Look = { viewport: phone.viewport, colorScheme: "dark" };
/** Half of a desktop's width, as with 200 % zoom. */
const halfAsWide: Look = { ...phoneInDark, viewport: { width: 720, height: 450 } };

/** Icons that point somewhere, so that they are mirrored in right-to-left languages. */
export const directionalIcons = [
  ...["arrow-left", "arrow-right", "chevron-left", "chevron-right", "log-out", "send-horizontal"],
]
  .map((name) => `.lucide-${name}`)
  .join();

/**
 * What is wrong with how the current page looks, one sentence each: on a desktop in light and on a phone in dark, violations of
 * WCAG 2.2 AA, and faults of the layout in both directions of writing. One opened page serves for all, because opening it takes longer.
 * The order is the one with the fewest changes, because after each the browser computes every style and position again.
 */
export async function faultsOf(visitor: Visitor): Promise<string[]> {
  const { page } = visitor;
  const faults: string[] = [];
  const add = ({ viewport: { width }, colorScheme }: Look, found: string[]) =>
    faults.push(...found.map((fault) => `${width} pixels wide, ${colorScheme}: ${fault}`));
  await show(page, desktopInLight);
  add(desktopInLight, await faultsFromLeftToRight(visitor));
  await setDirection(page, "rtl");
  add(desktopInLight, await layoutFaults(page, "rtl"));
  await show(page, phoneInDark);
  add(phoneInDark, await layoutFaults(page, "rtl"));
  await setDirection(page, "");
  add(phoneInDark, await faultsFromLeftToRight(visitor));
  faults.push(...(await repeatedNames(page)), ...(await missingTexts(page)));
  await show(page, halfAsWide);
  add(halfAsWide, await textAtEdges(page));
  await show(page, desktopInLight);
  return faults;
}

async function show(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await Promise.all([page.setViewportSize(viewport), page.emulateMedia(emulated({ colorScheme }))]);
}

async function faultsFromLeftToRight(visitor: Visitor): Promise<string[]> {
  return [
    ...(await visitor.axeViolations()),
    ...(await layoutFaults(visitor.page, "ltr")),
    ...(await smallTargets(visitor.page)),
  ];
}

function setDirection(page: Page, direction: "rtl" | ""): Promise<void> {
  return page.evaluate((dir) => {
    document.documentElement.dir = dir;
  }, direction);
}

const web = fileURLToPath(new URL("../../web/src", import.meta.url));
const textKeys = globSync(`${web}/**/messages.en.json`).flatMap((file) =>
  Object.keys(JSON.parse(readFileSync(file, "utf8"))),
);

/** Keys of texts that the page shows, because it hasn't loaded the texts of that area. */
async function missingTexts(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => document.body.innerText);
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  return textKeys.filter((key) => lines.has(key)).map((key) => `the text ${key} is missing`);
}

/** Text of the main content that touches the window's edge, except where it scrolls sideways. */
function textAtEdges(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const MARGIN = 8;
    const faults: string[] = [];
    const texts = document.createTreeWalker(
      document.querySelector("main") ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    const range = document.createRange();
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      if (!node.nodeValue?.trim()) continue;
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      if (width <= 1 || (left >= MARGIN && right <= innerWidth - MARGIN)) continue;
      let element = node.parentElement;
      while (element && !scrolls(element) && element.getBoundingClientRect().width > 1)
        element = element.parentElement;
      if (!element) faults.push(`text touches the edge: ${node.nodeValue.slice(0, 40)}`);
    }
    return faults.slice(0, 3);
  });
}

/** Content that overflows the window, and, in right-to-left, icons that point the wrong way and code that is turned. */
function layoutFaults(page: Page, direction: "rtl" | "ltr"): Promise<string[]> {
  return page.evaluate(
    ({ icons, direction }) => {
      const root = document.documentElement;
      const isMirrored = (icon: Element) => {
        const { rotate, scale } = getComputedStyle(icon);
        return rotate === "180deg" || scale.startsWith("-1");
      };
      const pointsDown = (icon: Element) => getComputedStyle(icon).rotate === "90deg";
      const isTurned = (code: Element) => getComputedStyle(code).direction === "rtl";
      const faults: string[] = [];
      if (getComputedStyle(document.body).direction !== direction)
        faults.push("the page has another direction");
      const overflow = root.scrollWidth - root.clientWidth;
      if (overflow > 0) faults.push(`overflows the window by ${overflow} pixels`);
      for (const icon of document.querySelectorAll(icons))
        if (!pointsDown(icon) && isMirrored(icon) !== (direction === "rtl"))
          faults.push(`${icon.classList} points the wrong way`);
      if (direction === "rtl")
        for (const code of document.querySelectorAll("pre, code"))
          if (isTurned(code)) faults.push(`code is turned: ${code.outerHTML.slice(0, 120)}`);
      return faults.map((fault) => `${direction}: ${fault}`);
    },
    { icons: directionalIcons, direction },
  );
}
