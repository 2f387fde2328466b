import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import type { StreamEvent } from "@tandem/client/client";
import type { CallOptions } from "@tandem/client/request";
import type { Operations } from "@tandem/contract/operations";
import type { Caller } from "./callers.ts";
import { until } from "./ports.ts";
import type { Tandem } from "./tandem.ts";

type Event = StreamEvent<Operations["notificationStream"]>;

/** A client that records events of its notification stream. */
export interface StreamListener extends AsyncDisposable {
  readonly events: Event[];
  /** Ids of the notifications received. */
  readonly ids: number[];
  /** The last event id received; empty if none. */
  readonly last: string;
  /** Resolves when the stream ends. */
  readonly ended: Promise<void>;
  /** Resolves once that many events have arrived. */
  has(count: number): Promise<void>;
}

export async function listenToStream(
  caller: Caller,
  input: { lastEventId?: number } = {},
  options: CallOptions = {},
): Promise<StreamListener> {
  const leaving = new AbortController();
  const events: Event[] = [];
  const read = async () => {
    for await (const event of caller.notificationStream(input, { ...options, signal: leaving.signal }))
      events.push(event);
  };
  let over = false;
  const ended = read()
    .catch((error) => {
      if (!leaving.signal.aborted) throw error;
    })
    .finally(() => {
      over = true;
    });
  ended.catch(() => {});
  // Aborting before the first event would leave an unused connection, for which a stopping server waits.
  await until(async () => events.length > 0 || over);
  return {
    events,
    ended,
    get ids() {
      return events.flatMap((one) => (one.event === "notification" ? one.data.id : []));
    },
    get last() {
      return events.at(-1)?.id ?? "";
    },
    has: (count) => until(async () => events.length >= count),
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await ended;
    },
  };
}

function ask(baseUrl: string, { options }: Caller): ClientRequest {
  const headers = { ...options.headers, ...(options.key && { authorization: `Bearer ${options.key}` }) };
  return request(`${baseUrl}/api/notifications/stream`, { headers, agent: false }).end();
}

/** Opens a stream that isn't read until `resume`. */
export async function openStalledStream(baseUrl: string, caller: Caller) {
  const request = ask(baseUrl, caller);
  const [response] = await once(request, "response");
  response.pause();
  let text = "";
  response.on("data", (piece: Buffer) => {
    text += piece;
  });
  response.pause();
  return {
    resume: () => response.resume(),
    get ids(): string[] {
      return [...text.matchAll(/^id: (\d+)\nevent: notification$/gm)].map(([, id]) => String(id));
    },
    async [Symbol.asyncDispose]() {
      request.destroy();
    },
  };
}

/** Requests the stream and disconnects immediately. */
export async function openAndHangUp(baseUrl: string, { options }: Caller): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const headers = Object.entries({ host: hostname, ...options.headers });
  const lines = [
    "GET /api/notifications/stream HTTP/1.1",
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  await new Promise((sent) => socket.write(`${lines.join("\r\n")}\r\n\r\n`, sent));
  socket.destroy();
}

/** Opens `each` streams per caller and drops all connections. */
export async function openAndDropStreams(
  tandem: Tandem,
  callers: readonly Caller[],
  each = 10,
): Promise<void> {
  const request = callers.flatMap((caller) =>
    Array.from({ length: each }, () => ask(tandem.baseUrl, caller)),
  );
  for (const one of request) one.on("error", () => {});
  await until(async () => tandem.services.streams.size === request.length);
  for (const one of request) one.destroy();
}
