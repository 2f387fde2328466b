import { documentTitle } from "../shared/rendering.ts";
import { type AppRouter, loadedPageOf } from "./router.tsx";

/** Keeps the tab's title that of the page that is shown. */
export function syncDocumentTitle(router: AppRouter): void {
  router.subscribe("onResolved", ({ pathChanged, fromLocation, toLocation }) => {
    const visit = loadedPageOf(router);
    document.title = visit?.requiredRole === null ? documentTitle(visit.page.head(visit.request)) : "Tandem";
    // Where one is now is told, and the keyboard goes on from there: not for a filter, and not where the page took it by itself.
    const main = document.getElementById("main");
    if (fromLocation && pathChanged && !toLocation.hash && !main?.contains(document.activeElement))
      main?.focus({ preventScroll: true });
  });
}
