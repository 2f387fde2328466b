import { expect, test, vi } from "vitest";
import { sendBeforeBatches, sendTogether } from "./send-together.ts";

/** Runs with a clock that stands still until it is set, in milliseconds. */
function setUp() {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const sent: string[] = [];
  const fail = (error: unknown) => sent.push((error as Error).message);
  return {
    sent,
    at: (milliseconds: number) => clock.mockReturnValue(milliseconds),
    send: (text: string) => sendTogether({ send: () => sent.push(text), fail }),
    sendFailing: (message: string) =>
      sendTogether({
        send() {
          throw new Error(message);
        },
        fail,
      }),
    [Symbol.dispose]: () => clock.mockRestore(),
  };
}

test("responses are sent in order at the end of the turn, and one that fails doesn't keep back others", async () => {
  using it = setUp();
  it.send("first");
  it.sendFailing("failed");
  it.send("last");
  await Promise.resolve();
  expect(it.sent).toEqual([]);
  await new Promise(setImmediate);
  expect(it.sent).toEqual(["first", "failed", "last"]);
});

test("responses don't wait for more of them for longer than 2 ms", () => {
  using it = setUp();
  it.send("first");
  it.at(2);
  it.send("second");
  expect(it.sent).toEqual([]);
  it.at(3);
  it.send("third");
  expect(it.sent).toEqual(["first", "second", "third"]);
});

test("responses don't wait for a batch of writes", () => {
  using it = setUp();
  let begin = () => {};
  sendBeforeBatches({
    beforeBatch(run) {
      begin = run;
    },
  });
  it.send("first");
  begin();
  expect(it.sent).toEqual(["first"]);
});
