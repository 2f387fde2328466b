import type { Page } from "playwright-core";

/** Milliseconds to wait for a right column, which is loaded after the page: long on a machine with other load. */
const MAX_WAIT = 40_000;

/**
 * Returns a sentence if a page leaves much of a wide window empty on one side. A page that doesn't has a right column, or its
 * content spans most of the main area, or it is centred because it is one task, such as to log in.
 */
export async function unusedWidth(page: Page): Promise<string[]> {
  // Most pages use their width at once. Waiting gets Playwright's script into the page, which is slow (see `untilAlive`).
  const isUsed =
    (await page.evaluate(isWidthUsed)) ||
    (await page.waitForFunction(isWidthUsed, undefined, { timeout: MAX_WAIT }).then(
      () => true,
      () => false,
    ));
  return isUsed ? [] : ["the content is at one side of the main area, and the other side is empty"];
}

function isWidthUsed(): boolean {
  const SHARE = 0.75;
  const TOLERANCE = 4;
  const main = document.querySelector("main");
  if (!main) return false;
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
  const isContent = (element: Element) =>
    element.matches("img, svg, video, button, input, select, textarea") || hasText(element);
  // What scrolls sideways is as wide as the part that is shown.
  const shownBox = (element: Element) => {
    let shown = element;
    for (let at = element.parentElement; at && at !== main; at = at.parentElement)
      if (at.scrollWidth > at.clientWidth && getComputedStyle(at).overflowX !== "visible") shown = at;
    return shown.getBoundingClientRect();
  };
  const boxes = [...main.querySelectorAll("*")]
    .filter((element) => isContent(element) && element.checkVisibility({ visibilityProperty: true }))
    .map(shownBox)
    .filter(({ width }) => width > 1);
  if (boxes.length === 0) return false;
  const left = Math.min(...boxes.map((box) => box.left));
  const right = Math.max(...boxes.map((box) => box.right));
  const area = main.getBoundingClientRect();
  const isCentred = Math.abs(left - area.left - (area.right - right)) <= TOLERANCE;
  return isCentred || right - left >= SHARE * area.width;
}
