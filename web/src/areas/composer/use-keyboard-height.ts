import { useEffect } from "react";

/**
 * Keeps the height of the on-screen keyboard in the CSS variable `--keyboard`, for browsers that lay the keyboard over the
 * page (Safari). Others resize the page, as the document's `interactive-widget` asks; there it stays 0.
 */
export function useKeyboardHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { style } = document.documentElement;
    const update = () => {
      // Zooming in also makes the visible part smaller.
      const isZoomed = viewport.scale > 1.01;
      const hidden = innerHeight - viewport.height - viewport.offsetTop;
      style.setProperty("--keyboard", `${isZoomed ? 0 : Math.max(0, Math.round(hidden))}px`);
    };
    viewport.addEventListener("resize", update);
    viewport.addEventListener("scroll", update);
    return () => {
      viewport.removeEventListener("resize", update);
      viewport.removeEventListener("scroll", update);
      style.removeProperty("--keyboard");
    };
  }, []);
}
