import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { AfterResponse } from "./after-response.ts";

test("work after a response belongs to no request", async () => {
  const request = new AsyncLocalStorage<string>();
  const afterResponse = new AfterResponse({ error: () => {} });
  const seen: (string | undefined)[] = [];
  request.run("ada's upload", () =>
    afterResponse.run("posters", async () => void seen.push(request.getStore())),
  );
  await afterResponse.idle();
  expect(seen).toEqual([undefined]);
});
