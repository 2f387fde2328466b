import { isLocalPath } from "../../shared/addresses.ts";
import type { AddressValues } from "../../shared/page.ts";

/** Pages that lead on to where one was, and are no place to come back to. */
const signInPaths = ["/login", "/signup", "/account/"];

/**
 * Where one goes after signing in: back to where one was, if that is a place of ours. Others could send a link that
 * begins here and ends at theirs.
 */
export function nextOf({ next = "" }: AddressValues): string {
  if (!isLocalPath(next)) return "/";
  return signInPaths.some((way) => next.startsWith(way)) ? "/" : next;
}

/** The same for the other way in. */
export const nextParam = (search: AddressValues): Record<string, string> => {
  const next = nextOf(search);
  return next === "/" ? {} : { next };
};
