import { limits } from "@tandem/contract/limits";
import { expect, test } from "vitest";
import { UploadLimiter } from "./upload-limiter.ts";

test("limits concurrent forms per caller and in total, and frees the slots of finished ones", async () => {
  const slots = new UploadLimiter();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begin = (holder: string) => slots.during(holder, () => ended);
  const refused = { code: "overloaded", retryAfter: expect.any(Number) };
  const running: Promise<void>[] = [];
  for (let i = 0; i < limits.formsPerCallerAtOnce; i++) running.push(begin("ada"));
  await expect(begin("ada")).rejects.toMatchObject(refused);
  for (let i = running.length; i < limits.formsAtOnce; i++) running.push(begin(`other ${i}`));
  await expect(begin("bob")).rejects.toMatchObject(refused);
  end();
  await Promise.all(running);
  await expect(slots.during("ada", async () => "read")).resolves.toBe("read");
  await expect(slots.during("ada", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("queues a caller's forms beyond its share, without delaying other callers", async () => {
  const slots = new UploadLimiter();
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const begin = (holder: string, name: string) =>
    slots.during(holder, () =>
      slots.inTurn(holder, () => {
        begun.push(name);
        return new Promise<void>((end) => ends.push(end));
      }),
    );
  const share = limits.formsPerCallerProcessed;
  const ada = Array.from({ length: share + 2 }, (_, i) => begin("ada", `ada ${i}`));
  const bob = begin("bob", "bob");
  const first = Array.from({ length: share }, (_, i) => `ada ${i}`);
  expect(begun).toEqual([...first, "bob"]);
  // Each that ends lets another begin, which then ends too.
  for (const end of ends) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all([...ada, bob]);
  expect(begun).toEqual([...first, "bob", `ada ${share}`, `ada ${share + 1}`]);
});
