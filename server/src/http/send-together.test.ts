import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import { expect, test } from "vitest";
import { sendTogether } from "./send-together.ts";

test("responses are sent in order at the end of the turn, and one that fails ends only its request", async () => {
  const sent: string[] = [];
  const log = { error: (error: Error) => sent.push(error.message) } as unknown as FastifyBaseLogger;
  const response = { destroy: () => sent.push("ended") } as unknown as ServerResponse;
  const send = (text: string) => sendTogether({ response, log, send: () => sent.push(text) });
  send("first");
  sendTogether({
    ...{ response, log },
    send() {
      throw new Error("failed");
    },
  });
  send("last");
  await Promise.resolve();
  expect(sent).toEqual([]);
  await new Promise(setImmediate);
  expect(sent).toEqual(["first", "failed", "ended", "last"]);
});
