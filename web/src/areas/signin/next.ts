import { isLocalPath } from "../../shared/addresses.ts";
import type { AddressValues } from "../../shared/page.ts";

/** Pages that aren't worth returning to. */
const signInPaths = ["/login", "/signup", "/return", "/account/"];

/**
 * Where to go after signing in: the page in `next` if it is one of this app, or the feed. Without this check,
 * a link to the log-in page could redirect to another site.
 */
export function nextOf({ next = "" }: AddressValues): string {
  if (!isLocalPath(next)) return "/";
  return signInPaths.some((way) => next.startsWith(way)) ? "/" : next;
}

/** The `next` parameter for links between log-in and sign-up. */
export const nextParam = (search: AddressValues): Record<string, string> => {
  const next = nextOf(search);
  return next === "/" ? {} : { next };
};
