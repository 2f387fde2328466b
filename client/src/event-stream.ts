import type { Answer } from "@tandem/contract/operation";
import type { Route } from "@tandem/contract/routes";
import { answerTo } from "./answer.ts";
import { type Patience, patiently, sleep } from "./retry.ts";

/** An event of a stream: its name, and what it holds. `id` is what `lastEventId` takes, to go on behind it. */
export type StreamEvent<O> = {
  [K in keyof Answer<O>]: { event: K; data: Answer<O>[K]; id: string };
}[keyof Answer<O>];

/** What a stream tells besides events. */
interface Told {
  id: string;
  /** Seconds to wait before coming again. */
  retry: number;
}

type Open = (lastEventId: string) => Promise<Response>;

/**
 * The events of a stream, for as long as they are asked for. Where it breaks off it is opened again, and goes on behind the
 * last event that came; with `maxWait` 0 it ends there. Throws what no waiting mends.
 */
export async function* eventsOf(route: Route, open: Open, patience: Patience): AsyncGenerator<object, void> {
  const told: Told = { id: "", retry: 3 };
  do {
    const response = await patiently(() => streamOf(route, open(told.id), patience.signal), patience);
    try {
      if (response.body) yield* eventsIn(response.body, told);
    } catch (error) {
      patience.signal?.throwIfAborted();
      // As `fetch` says that a connection broke off.
      if (!(error instanceof TypeError)) throw error;
    }
    if (patience.maxWait > 0) await sleep(told.retry, patience.signal);
  } while (patience.maxWait > 0);
}

async function streamOf(
  route: Route,
  asked: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await asked.catch(() => null);
  if (response?.ok) return response;
  // A refusal, or no answer: it is thrown as for any other operation.
  await answerTo(route, () => asked, signal);
  throw new TypeError("no stream came");
}

/** Reads what WHATWG's HTML calls an event stream. */
async function* eventsIn(body: ReadableStream<Uint8Array>, told: Told): AsyncGenerator<object, void> {
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
        if (field === "id") told.id = text;
        else if (field === "retry") told.retry = Number(text) / 1000;
        else if (field === "event") event = text;
        else if (field === "data") data += text;
        else if (line === "") {
          if (data) yield { event, data: JSON.parse(data), id: told.id };
          event = data = "";
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
