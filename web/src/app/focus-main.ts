import type { View } from "../router/router.ts";
import { documentTitle } from "../shared/rendering.ts";

/** Updates the tab's title after each navigation, and moves focus to the main content. */
export function syncDocumentTitle({ page: visit, address }: View, before: View): void {
  document.title = visit?.requiredRole === null ? documentTitle(visit.page.head(visit.request)) : "Tandem";
  // Screen readers announce the new page, and keyboard users continue from there. Skipped for filter
  // changes, for links with a hash, and when the page has already moved focus itself.
  const main = document.getElementById("main");
  if (before.address.path !== address.path && !address.hash && !main?.contains(document.activeElement))
    main?.focus({ preventScroll: true });
}
