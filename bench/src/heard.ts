import { type ClientRequest, request } from "node:http";
import type { BulkUser } from "@tandem/testing/bulk-users";

/** Notes when comments are heard of. */
export class Heard {
  readonly delays: number[] = [];
  readonly #sent = new Map<number, number>();
  readonly #early = new Map<number, number>();

  /** The answer to a write may come after its event. */
  expect(commentId: number, at: number): void {
    const heard = this.#early.get(commentId);
    if (heard === undefined) this.#sent.set(commentId, at);
    else this.delays.push(heard - at);
  }

  listen(baseUrl: string, { cookie }: BulkUser): ClientRequest {
    const asked = request(`${baseUrl}/api/notifications/stream`, { headers: { cookie }, agent: false });
    asked.on("response", (response) => response.on("data", (piece) => this.#hear(String(piece))));
    asked.on("error", () => {});
    return asked.end();
  }

  #hear(text: string): void {
    for (const [, id] of text.matchAll(/"commentId":(\d+)/g)) {
      const at = this.#sent.get(Number(id));
      if (at === undefined) this.#early.set(Number(id), performance.now());
      else this.delays.push(performance.now() - at);
    }
  }
}
