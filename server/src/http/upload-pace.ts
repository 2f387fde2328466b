import type { IncomingMessage } from "node:http";
import { SECOND } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { tooSlow } from "./body-timeout.ts";

/** Watches the speed of an upload. */
export interface UploadPace {
  received(bytes: number): void;
  end(): void;
}

/**
 * Disconnects a client that sends nothing for `patience` milliseconds, too little since then, or for too long: one that sends
 * a byte now and then isn't silent, but holds a slot that others need.
 */
export function watchPace(request: IncomingMessage, patience: number): UploadPace {
  const disconnect = () => {
    tooSlow.set(request, null);
    request.destroy(new Error("the upload stalled"));
  };
  const begun = performance.now();
  let total = 0;
  const silence = setTimeout(disconnect, patience);
  const pace = setInterval(() => {
    const waited = performance.now() - begun;
    const least = ((waited - patience) / SECOND) * limits.formBytesPerSecond;
    if (total < least || waited > limits.formSeconds * SECOND) disconnect();
  }, SECOND);
  return {
    received(bytes) {
      total += bytes;
      silence.refresh();
    },
    end() {
      clearTimeout(silence);
      clearInterval(pace);
    },
  };
}
