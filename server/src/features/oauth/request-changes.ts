import { AsyncLocalStorage } from "node:async_hooks";
import type { Db } from "../../storage/storage.ts";

export type Change = (tx: Db) => Promise<void>;

/**
 * One request to the protocol's library. The library marks a code or token as used before it stores what is issued for it, and can fail in
 * between. So its changes are collected, and made in one transaction after it has succeeded: a request that fails changes nothing.
 */
export interface RequestState {
  /** The client's IP address. */
  readonly address: string;
  readonly changes: Change[];
  /** The key of the grant that it concerns; null if it isn't known. */
  keyId: string | null;
  /** What to respond with instead of the library's error. */
  failure: Error | null;
}

const current = new AsyncLocalStorage<RequestState>();

export function withState<T>(state: RequestState, work: () => PromiseLike<T>): Promise<T> {
  // Awaited inside, since an injected request begins only then.
  return current.run(state, async () => await work());
}

/** The state of the request that the library is handling. */
export function requestState(): RequestState {
  const state = current.getStore();
  if (!state) throw new Error("The authorization server was called outside of a request");
  return state;
}

/** Makes a change once the library has succeeded. To refuse it, and with it the request, throw. */
export function onSuccess(change: Change): void {
  requestState().changes.push(change);
}

/** Ends the request with this error, which the library would hide in one of its own. */
export function failWith(error: Error): never {
  requestState().failure = error;
  throw error;
}
