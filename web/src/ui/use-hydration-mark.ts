import { useEffect } from "react";

/**
 * Marks the document once presses are heard. React comes alive part by part, the frame before the page in it; so it is the
 * page that says it.
 */
export function useHydrationMark(): void {
  useEffect(() => document.documentElement.setAttribute("data-alive", ""), []);
}
