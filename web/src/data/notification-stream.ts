import { type FlatClient, TandemError } from "@tandem/client";
import type { StreamEvent } from "@tandem/client/client";
import { MINUTE } from "@tandem/contract/durations";
import type { Operations } from "@tandem/contract/operations";
import type { QueryClient } from "@tanstack/react-query";
import { refreshMessages } from "./messages.ts";
import { addNotification, unreadKey } from "./notifications.ts";
import { streamKey } from "./poll.ts";

type NotificationEvent = StreamEvent<Operations["notificationStream"]>;

/**
 * Messages between tabs: an event of the stream, whether the stream is open, or the question whether it is.
 */
type TabMessage = NotificationEvent | { event: "stream"; open: boolean } | { event: "stream?" };

/** Milliseconds before reconnecting, first and at most. */
const RETRY_DELAY = { first: 3_000, max: MINUTE };

/**
 * Applies events of the notification stream to the cache until `signal` aborts. All tabs of a browser share
 * one stream: the tab that holds a Web Lock keeps it open and forwards its events; when that tab closes,
 * another takes over. Browsers without Web Locks poll instead.
 */
export function followNotifications(
  api: FlatClient,
  queryClient: QueryClient,
  userId: number,
  signal: AbortSignal,
): void {
  if (!navigator.locks) return;
  const name = `tandem-notices-${userId}`;
  const tabs = new BroadcastChannel(name);
  let isOpen: boolean | null = null;
  const post = (message: TabMessage) => !signal.aborted && tabs.postMessage(message);
  tabs.onmessage = ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.event !== "stream?") applyMessage(queryClient, message);
    else if (isOpen !== null) post({ event: "stream", open: isOpen });
  };
  post({ event: "stream?" });
  signal.addEventListener("abort", () => tabs.close());
  const readStream = () =>
    readEvents(api, signal, (message) => {
      if (message.event === "stream") isOpen = message.open;
      applyMessage(queryClient, message);
      post(message);
    });
  // Aborting while waiting for the lock rejects.
  navigator.locks.request(name, { signal }, readStream).catch(() => {});
}

type StreamMessage = Exclude<TabMessage, { event: "stream?" }>;

async function readEvents(
  api: FlatClient,
  signal: AbortSignal,
  post: (message: StreamMessage) => void,
): Promise<void> {
  let wait = RETRY_DELAY.first;
  while (!signal.aborted) {
    let open = false;
    try {
      for await (const event of api.notificationStream({}, { signal })) {
        if (!open) post({ event: "stream", open: true });
        open = true;
        post(event);
        wait = RETRY_DELAY.first;
      }
    } catch (error) {
      // The session has ended.
      if (error instanceof TandemError && error.status === 401) return;
    }
    post({ event: "stream", open: false });
    await pause(wait, signal);
    wait = Math.min(wait * 2, RETRY_DELAY.max);
  }
}

function applyMessage(queryClient: QueryClient, message: StreamMessage): void {
  if (message.event === "notification") addNotification(queryClient, message.data);
  else if (message.event === "unread") void setUnread(queryClient, unreadKey, message.data.unread);
  else {
    if (message.event === "stream") queryClient.setQueryData(streamKey, message.open);
    else void setUnread(queryClient, ["messages", "unread"], message.data.unread);
    // Events before the subscription were missed.
    void refreshMessages(queryClient);
  }
}

/** Cancels a request that is in progress: its answer may be older. */
async function setUnread(queryClient: QueryClient, queryKey: string[], unread: number): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, unread);
}

/** Resolves after a delay, or as soon as the network is back or `signal` aborts. */
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
