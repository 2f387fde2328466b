import { useEffect } from "react";
import { pressMarkedButtons } from "../shared/early-presses.ts";

/**
 * Marks the document (`data-alive`) once its event handlers work; tests wait for this. React hydrates part by
 * part, the frame before the page, so the page sets the mark. What was pressed before happens now.
 */
export function useHydrationMark(): void {
  useEffect(() => {
    document.documentElement.setAttribute("data-alive", "");
    pressMarkedButtons();
  }, []);
}
