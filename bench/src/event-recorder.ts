import { type ClientRequest, request } from "node:http";
import type { BulkUser } from "@tandem/testing/bulk-users";

/** Measures the delay between the request that creates a comment and the event about it. */
export class EventRecorder {
  readonly delays: number[] = [];
  readonly #sent = new Map<number, number>();
  readonly #early = new Map<number, number>();

  /** The event may arrive before the response to the write. */
  expect(commentId: number, at: number): void {
    const received = this.#early.get(commentId);
    if (received === undefined) this.#sent.set(commentId, at);
    else this.delays.push(received - at);
  }

  listen(baseUrl: string, { cookie }: BulkUser): ClientRequest {
    const stream = request(`${baseUrl}/api/notifications/stream`, { headers: { cookie }, agent: false });
    stream.on("response", (response) => response.on("data", (piece) => this.#record(String(piece))));
    stream.on("error", () => {});
    return stream.end();
  }

  #record(text: string): void {
    for (const [, id] of text.matchAll(/"commentId":(\d+)/g)) {
      const at = this.#sent.get(Number(id));
      if (at === undefined) this.#early.set(Number(id), performance.now());
      else this.delays.push(performance.now() - at);
    }
  }
}
