import type { View } from "../router/router.ts";

/**
 * Moves focus to the main content after a navigation: screen readers announce the new page, and keyboard users continue from there.
 * Skipped for filter changes, for links with a hash, and when the page has already moved focus itself.
 */
export function focusMain({ address }: View, before: View): void {
  const main = document.getElementById("main");
  if (before.address.path !== address.path && !address.hash && !main?.contains(document.activeElement))
    main?.focus({ preventScroll: true });
}
