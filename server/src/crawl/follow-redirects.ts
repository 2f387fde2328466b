import type { Outgoing, OutgoingAnswer, OutgoingRequest } from "../outgoing/outgoing.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

/** Redirects per request. Browsers follow a few more. */
const MAX_REDIRECTS = 5;

/** Calls `send` when the URL's host may be requested. */
export type ThrottledSend = (url: URL, send: () => Promise<OutgoingAnswer>) => Promise<OutgoingAnswer>;

/**
 * Fetches a URL and follows redirects. A redirect to another host is throttled like a first request to that host. Throws
 * {@link OutgoingError}, and whatever `throttled` throws.
 */
export async function fetchFollowingRedirects(
  outgoing: Outgoing,
  start: URL,
  request: OutgoingRequest,
  throttled: ThrottledSend,
): Promise<OutgoingAnswer> {
  let url = start;
  let moved = true;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const left = MAX_REDIRECTS - redirects;
    const answer = await throttled(url, () =>
      outgoing(url, { ...request, sameHostOnly: true, redirects: left }),
    );
    redirects += answer.redirects;
    moved &&= answer.moved;
    if (answer.next === null) return { ...answer, moved, redirects };
    url = new URL(answer.next);
  }
  throw new OutgoingError("too_many_redirects", `There were more than ${MAX_REDIRECTS} redirects.`);
}
