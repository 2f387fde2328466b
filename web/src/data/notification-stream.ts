import { type Client, TandemError } from "@tandem/client";
import type { StreamEvent } from "@tandem/client/client";
import type { Operations } from "@tandem/contract/operations";
import type { QueryClient } from "@tanstack/react-query";
import { refreshMessages } from "./messages.ts";
import { addNotification, unreadKey } from "./notifications.ts";
import { streamKey } from "./poll.ts";

type NotificationEvent = StreamEvent<Operations["notificationStream"]>;

/** What tabs tell each other: what the stream told, whether there is one, and that one would like to know. */
type TabMessage = NotificationEvent | { event: "stream"; open: boolean } | { event: "stream?" };

/** Milliseconds to wait after a stream couldn't be had, at first and at most. */
const RETRY_DELAY = { first: 3_000, max: 60_000 };

/**
 * Has what happens told as it happens, until `signal` ends it. All tabs of a browser share one stream: whichever holds the lock
 * has it open and passes on what comes; when it closes, another does. Where a browser has no locks there is no stream, and the
 * rest is looked up now and then as before.
 */
export function followNotifications(
  api: Client,
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
  // An aborted wait for the lock is how it ends.
  navigator.locks.request(name, { signal }, readStream).catch(() => {});
}

type StreamMessage = Exclude<TabMessage, { event: "stream?" }>;

async function readEvents(
  api: Client,
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
      // Signed out: there is nothing to hear any more.
      if (error instanceof TandemError && error.status === 401) return;
    }
    post({ event: "stream", open: false });
    await pause(wait, signal);
    wait = Math.min(wait * 2, RETRY_DELAY.max);
  }
}

function applyMessage(queryClient: QueryClient, message: StreamMessage): void {
  if (message.event === "notification") addNotification(queryClient, message.data);
  else if (message.event === "unread") queryClient.setQueryData(unreadKey, message.data.unread);
  else {
    if (message.event === "stream") queryClient.setQueryData(streamKey, message.open);
    else queryClient.setQueryData(["messages", "unread"], message.data.unread);
    // Of what was told before one listened nothing was heard.
    void refreshMessages(queryClient);
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
