import { type Client, TandemError } from "@tandem/client";
import type { StreamEvent } from "@tandem/client/client";
import type { Operations } from "@tandem/contract/operations";
import type { QueryClient } from "@tanstack/react-query";
import { addNotice, unreadKey } from "./notifications.ts";

type NoticeEvent = StreamEvent<Operations["notificationStream"]>;

/** Milliseconds to wait after a stream couldn't be had, at first and at most. */
const WAIT = { first: 3_000, most: 60_000 };

/**
 * Has what happens told as it happens, until `signal` ends it. All tabs of a browser share one stream: whichever holds the lock
 * has it open and passes on what comes; when it closes, another does. Where a browser has no locks there is no stream, and the
 * count is looked up now and then as before.
 */
export function followNotices(api: Client, data: QueryClient, userId: number, signal: AbortSignal): void {
  if (!navigator.locks) return;
  const name = `tandem-notices-${userId}`;
  const tabs = new BroadcastChannel(name);
  tabs.onmessage = ({ data: event }: MessageEvent<NoticeEvent>) => take(data, event);
  signal.addEventListener("abort", () => tabs.close());
  const listen = () =>
    listenOn(api, signal, (event) => {
      take(data, event);
      if (!signal.aborted) tabs.postMessage(event);
    });
  // An aborted wait for the lock is how it ends.
  navigator.locks.request(name, { signal }, listen).catch(() => {});
}

async function listenOn(api: Client, signal: AbortSignal, tell: (event: NoticeEvent) => void): Promise<void> {
  let wait = WAIT.first;
  while (!signal.aborted) {
    try {
      for await (const event of api.notificationStream({}, { signal })) {
        tell(event);
        wait = WAIT.first;
      }
    } catch (error) {
      // Signed out: there is nothing to hear any more.
      if (error instanceof TandemError && error.status === 401) return;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, WAIT.most);
  }
}

function take(data: QueryClient, { event, data: told }: NoticeEvent): void {
  if (event === "unread") data.setQueryData(unreadKey, told.unread);
  else addNotice(data, told);
}

/** Resolves after so many milliseconds, or once the network is back or nobody waits any more. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
