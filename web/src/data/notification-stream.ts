import { type Client, TandemError } from "@tandem/client";
import type { StreamEvent } from "@tandem/client/client";
import type { Operations } from "@tandem/contract/operations";
import type { QueryClient } from "@tanstack/react-query";
import { refreshMessages } from "./messages.ts";
import { addNotice, unreadKey } from "./notifications.ts";
import { streamKey } from "./poll.ts";

type NoticeEvent = StreamEvent<Operations["notificationStream"]>;

/** What tabs tell each other: what the stream told, whether there is one, and that one would like to know. */
type Told = NoticeEvent | { event: "stream"; open: boolean } | { event: "stream?" };

/** Milliseconds to wait after a stream couldn't be had, at first and at most. */
const WAIT = { first: 3_000, most: 60_000 };

/**
 * Has what happens told as it happens, until `signal` ends it. All tabs of a browser share one stream: whichever holds the lock
 * has it open and passes on what comes; when it closes, another does. Where a browser has no locks there is no stream, and the
 * rest is looked up now and then as before.
 */
export function followNotices(api: Client, data: QueryClient, userId: number, signal: AbortSignal): void {
  if (!navigator.locks) return;
  const name = `tandem-notices-${userId}`;
  const tabs = new BroadcastChannel(name);
  let ours: boolean | null = null;
  const tell = (told: Told) => !signal.aborted && tabs.postMessage(told);
  tabs.onmessage = ({ data: told }: MessageEvent<Told>) => {
    if (told.event !== "stream?") take(data, told);
    else if (ours !== null) tell({ event: "stream", open: ours });
  };
  tell({ event: "stream?" });
  signal.addEventListener("abort", () => tabs.close());
  const listen = () =>
    listenOn(api, signal, (told) => {
      if (told.event === "stream") ours = told.open;
      take(data, told);
      tell(told);
    });
  // An aborted wait for the lock is how it ends.
  navigator.locks.request(name, { signal }, listen).catch(() => {});
}

type Heard = Exclude<Told, { event: "stream?" }>;

async function listenOn(api: Client, signal: AbortSignal, tell: (told: Heard) => void): Promise<void> {
  let wait = WAIT.first;
  while (!signal.aborted) {
    let open = false;
    try {
      for await (const event of api.notificationStream({}, { signal })) {
        if (!open) tell({ event: "stream", open: true });
        open = true;
        tell(event);
        wait = WAIT.first;
      }
    } catch (error) {
      // Signed out: there is nothing to hear any more.
      if (error instanceof TandemError && error.status === 401) return;
    }
    tell({ event: "stream", open: false });
    await pause(wait, signal);
    wait = Math.min(wait * 2, WAIT.most);
  }
}

function take(data: QueryClient, told: Heard): void {
  if (told.event === "notification") addNotice(data, told.data);
  else if (told.event === "unread") data.setQueryData(unreadKey, told.data.unread);
  else {
    if (told.event === "stream") data.setQueryData(streamKey, told.open);
    else data.setQueryData(["messages", "unread"], told.data.unread);
    // Of what was told before one listened nothing was heard.
    void refreshMessages(data);
  }
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
