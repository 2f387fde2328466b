import type { AddressValues } from "../../page.ts";

/** Pages that lead on to where one was, and are no place to come back to. */
const ways = ["/login", "/signup", "/account/"];

/**
 * Where one goes after signing in: back to where one was, if that is a place of ours. Others could send a link that
 * begins here and ends at theirs.
 */
export function nextOf({ next = "" }: AddressValues): string {
  // As browsers read it, a second slash, either way round, begins a host; and of blanks they see nothing.
  if (!/^\/(?![/\\])/.test(next) || /[\s\\]/.test(next)) return "/";
  return ways.some((way) => next.startsWith(way)) ? "/" : next;
}

/** The same for the other way in. */
export const along = (search: AddressValues): Record<string, string> => {
  const next = nextOf(search);
  return next === "/" ? {} : { next };
};
