import { titled } from "../rendering.ts";
import { type AppRouter, visitOf } from "../router.tsx";

/** Keeps the tab's title that of the page that is shown. */
export function followHead(router: AppRouter): void {
  router.subscribe("onResolved", () => {
    const visit = visitOf(router);
    document.title = visit?.barred === null ? titled(visit.page.head(visit.request)) : "Tandem";
  });
}
