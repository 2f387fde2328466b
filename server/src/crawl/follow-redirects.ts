import type { Outgoing, OutgoingRequest, OutgoingResponse } from "../outgoing/outgoing.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

/** Redirects per request. Browsers follow a few more. */
const MAX_REDIRECTS = 5;

/** Calls `send` when the URL's host may be requested. */
export type ThrottledSend = (url: URL, send: () => Promise<OutgoingResponse>) => Promise<OutgoingResponse>;

/**
 * Fetches a URL and follows redirects. A redirect to another host is throttled like a first request to that host. Throws
 * {@link OutgoingError}, and whatever `throttled` throws.
 */
export async function fetchFollowingRedirects(
  outgoing: Outgoing,
  start: URL,
  request: OutgoingRequest,
  throttled: ThrottledSend,
): Promise<OutgoingResponse> {
  let url = start;
  let moved = true;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const left = MAX_REDIRECTS - redirects;
    const response = await throttled(url, () =>
      outgoing(url, { ...request, sameHostOnly: true, redirects: left }),
    );
    redirects += response.redirects;
    moved &&= response.moved;
    if (response.next === null) return { ...response, moved, redirects };
    url = new URL(response.next);
  }
  throw new OutgoingError("too_many_redirects", `There were more than ${MAX_REDIRECTS} redirects.`);
}
