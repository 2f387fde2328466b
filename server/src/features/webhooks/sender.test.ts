import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { Sender } from "./sender.ts";

/** More than a look for due webhooks takes. */
const MICROTASKS = 100;

test("a wake-up is never lost, not even in the moment at which the sender stops", async () => {
  await using tandem = await startTandem();
  let looks = 0;
  // The sender asks for the time once per look.
  const now = () => {
    looks += 1;
    return 0;
  };
  const sender = new Sender({ ...tandem.services, now });
  const { signal } = new AbortController();
  for (let microtasks = 0; microtasks < MICROTASKS; microtasks++) {
    const first = sender.run(signal);
    for (let i = 0; i < microtasks; i++) await null;
    const before = looks;
    await sender.run(signal);
    expect({ microtasks, looks }).toEqual({ microtasks, looks: expect.toSatisfy((all) => all > before) });
    await first;
  }
  await sender.stop();
});
