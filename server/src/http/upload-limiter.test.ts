import { limits } from "@tandem/contract/limits";
import { expect, test } from "vitest";
import { UploadLimiter } from "./upload-limiter.ts";

test("nobody has more forms read at once than one may, nor all together, and ended ones count no more", async () => {
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

test("of one holder few are worked on at a time, the others in their turn; other holders don't wait", async () => {
  const slots = new UploadLimiter();
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const begin = (holder: string, name: string) =>
    slots.during(holder, () =>
      slots.inTurn(holder, () => {
        begun.push(name);
        return new Promise<void>((end) => ends.push(end));
      }),
    );
  const most = limits.formsPerCallerWorkedOn;
  const ada = Array.from({ length: most + 2 }, (_, i) => begin("ada", `ada ${i}`));
  const bob = begin("bob", "bob");
  const first = Array.from({ length: most }, (_, i) => `ada ${i}`);
  expect(begun).toEqual([...first, "bob"]);
  // Each that ends lets another begin, which then ends as well.
  for (const end of ends) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all([...ada, bob]);
  expect(begun).toEqual([...first, "bob", `ada ${most}`, `ada ${most + 1}`]);
});
