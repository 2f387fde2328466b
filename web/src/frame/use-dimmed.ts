import { useLayoutEffect } from "react";

/** Milliseconds: most pages arrive sooner, and then nothing changes. */
const DELAY = 150;

/** The largest parts of the page without links to other views. */
const parts = "#main > :not(nav, :has(nav)), #main :has(nav) > :not(nav, :has(nav))";

/**
 * While another page is on its way, the one shown steps back, except for links to other views: there, the chosen one is marked already.
 * As a rule of the style sheet, this would have the browser restyle the whole page before it shows that a link was pressed.
 */
export function useDimmed(isLoading: boolean): void {
  useLayoutEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => mark(parts, true), DELAY);
    return () => {
      clearTimeout(timer);
      mark("[data-dimmed]", false);
    };
  }, [isLoading]);
}

function mark(selector: string, isDimmed: boolean): void {
  for (const part of document.querySelectorAll(selector)) part.toggleAttribute("data-dimmed", isDimmed);
}
