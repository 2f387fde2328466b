import type { ResponseOf } from "@tandem/contract/operation";
import type { Route } from "@tandem/contract/routes";
import type { PreparedRequest } from "./request.ts";
import { readResponse } from "./response.ts";
import { type RetryPolicy, sleep, withRetries } from "./retry.ts";

/** An event of a stream: its name and data. Pass `id` as `lastEventId` to resume after it. */
export type StreamEvent<O> = {
  [K in keyof ResponseOf<O>]: { event: K; data: ResponseOf<O>[K]; id: string };
}[keyof ResponseOf<O>];

/** What is needed to resume a stream. */
interface StreamState {
  id: string;
  /** Seconds to wait before reconnecting. */
  retry: number;
}

type Open = (lastEventId: string) => Promise<PreparedRequest>;

/**
 * Yields the events of a stream until the consumer stops. If the connection breaks, it reconnects and resumes after the last
 * event received; with a `maxWait` of 0, it ends instead. Throws errors that retrying can't fix.
 */
export async function* eventsOf(route: Route, open: Open, policy: RetryPolicy): AsyncGenerator<object, void> {
  const state: StreamState = { id: "", retry: 3 };
  do {
    const response = await withRetries(
      async () => openStream(route, await open(state.id), policy.signal),
      policy,
    );
    try {
      if (response.body) yield* eventsIn(response.body, state);
    } catch (error) {
      policy.signal?.throwIfAborted();
      // `fetch` reports a broken connection as a TypeError.
      if (!(error instanceof TypeError)) throw error;
    }
    if (policy.maxWait > 0) await sleep(state.retry, policy.signal);
  } while (policy.maxWait > 0);
}

async function openStream(
  route: Route,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const sent = request.send();
  const response = await sent.catch(() => null);
  if (response?.ok) return response;
  // An error, or no response: throws as for any other operation.
  await readResponse(route, { ...request, send: () => sent }, signal);
  throw new TypeError("no stream came");
}

/** Parses an event stream (HTML Standard, server-sent events). */
async function* eventsIn(body: ReadableStream<Uint8Array>, state: StreamState): AsyncGenerator<object, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "";
  let data = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|[\r\n]/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, field, text = ""] = /^(\w+): ?(.*)/.exec(line) ?? [];
        if (field === "id") state.id = text;
        else if (field === "retry") state.retry = Number(text) / 1000;
        else if (field === "event") event = text;
        else if (field === "data") data += text;
        else if (line === "") {
          if (data) yield { event, data: JSON.parse(data), id: state.id };
          event = data = "";
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
