import { documentTitle } from "../shared/rendering.ts";
import { type AppRouter, loadedPageOf } from "./router.tsx";

/** Updates the tab's title after each navigation, and moves focus to the main content. */
export function syncDocumentTitle(router: AppRouter): void {
  router.subscribe("onResolved", ({ pathChanged, fromLocation, toLocation }) => {
    const visit = loadedPageOf(router);
    document.title = visit?.requiredRole === null ? documentTitle(visit.page.head(visit.request)) : "Tandem";
    // Screen readers announce the new page, and keyboard users continue from there. Skipped for filter
    // changes, for links with a hash, and when the page has already moved focus itself.
    const main = document.getElementById("main");
    if (fromLocation && pathChanged && !toLocation.hash && !main?.contains(document.activeElement))
      main?.focus({ preventScroll: true });
  });
}
