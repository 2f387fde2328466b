import type { Outgoing, OutgoingAnswer, OutgoingRequest } from "../outgoing/outgoing.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

/** Redirects on one way, as browsers bear a few more. */
const REDIRECTS = 5;

/** Asks a host when it may be asked. */
export type InTurn = (url: URL, send: () => Promise<OutgoingAnswer>) => Promise<OutgoingAnswer>;

/**
 * Asks for an address, and on from redirect to redirect: every host that it leads to has its turn, as if it had been asked
 * first. Throws {@link OutgoingError}, and whatever `inTurn` throws.
 */
export async function askOnward(
  outgoing: Outgoing,
  first: URL,
  request: OutgoingRequest,
  inTurn: InTurn,
): Promise<OutgoingAnswer> {
  let url = first;
  let moved = true;
  for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
    const left = REDIRECTS - redirects;
    const answer = await inTurn(url, () =>
      outgoing(url, { ...request, sameHostOnly: true, redirects: left }),
    );
    redirects += answer.redirects;
    moved &&= answer.moved;
    if (answer.next === null) return { ...answer, moved, redirects };
    url = new URL(answer.next);
  }
  throw new OutgoingError("too_many_redirects", "There were too many redirects.");
}
