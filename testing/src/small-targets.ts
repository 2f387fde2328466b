import type { Page } from "playwright-core";

/**
 * Links and controls that are smaller than 24 by 24 CSS pixels, one sentence each. Stricter than WCAG 2.2, "Target Size (Minimum)",
 * which axe checks: space around a target doesn't make up for its size. Links in a sentence may be as high as its lines.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const MINIMUM = 24;
    const targets =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=menuitem], [role=option], [tabindex='0']";
    const isInSentence = (target: Element) => {
      let block: Element | null = target;
      while (block && getComputedStyle(block).display === "inline") block = block.parentElement;
      if (!block || block === target) return false;
      const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { nodeValue, parentElement } = texts.currentNode;
        if (/\p{L}/u.test(nodeValue ?? "") && !parentElement?.closest(targets)) return true;
      }
      return false;
    };
    /** Also what its label or a layer over its card adds. */
    const sizesOf = (target: Element): { width: number; height: number }[] => {
      const { position, width, height } = getComputedStyle(target, "::after");
      const layer =
        position === "absolute"
          ? [{ width: Number.parseFloat(width), height: Number.parseFloat(height) }]
          : [];
      const labels = target instanceof HTMLInputElement ? [...(target.labels ?? [])] : [];
      return [target, ...labels].map((element) => element.getBoundingClientRect()).concat(layer as DOMRect[]);
    };
    // What is hidden from screen readers duplicates another target.
    const isShown = (target: Element) =>
      target.checkVisibility({ visibilityProperty: true }) && !target.closest(".sr-only, [aria-hidden=true]");
    return [...document.querySelectorAll(targets)]
      .filter((target) => isShown(target) && !isInSentence(target))
      .filter(
        (target) => !sizesOf(target).some(({ width, height }) => Math.min(width, height) > MINIMUM - 0.1),
      )
      .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `a target of ${Math.round(width)} by ${Math.round(height)} pixels: ${target.outerHTML.slice(0, 120)}`;
      });
  });
}
