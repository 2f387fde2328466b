import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairQueue, onBehalfOf } from "./fair-queue.ts";

test("gives the next slot to the client that used least, and refuses what is too much", async () => {
  const queue = new FairQueue(4);
  const begun: string[] = [];
  const run = (client: string, milliseconds: number) =>
    onBehalfOf(client, () =>
      queue.run(
        1,
        () => new Error("busy"),
        async () => {
          begun.push(client);
          await pause(milliseconds);
        },
      ),
    );
  const all = [run("mallory", 50), run("mallory", 50), run("mallory", 50), run("ada", 1), run("bob", 1)];
  await expect(run("eve", 1)).rejects.toThrow("busy");
  const { running, waiting, age } = queue.state;
  expect([running, waiting, age >= 0]).toEqual([1, 4, true]);
  await Promise.all(all);
  expect(queue.state).toEqual({ running: 0, waiting: 0, age: 0 });
  expect(begun).toEqual(["mallory", "ada", "bob", "mallory", "mallory"]);
  await expect(
    onBehalfOf("ada", () =>
      queue.run(
        1,
        () => new Error("busy"),
        () => Promise.reject(new Error("no")),
      ),
    ),
  ).rejects.toThrow("no");
  await run("ada", 1);
  expect(queue.spentBy("mallory").milliseconds).toBeGreaterThan(100);
  expect(queue.spentBy("eve").milliseconds).toBe(0);
});
