import { TandemError } from "@tandem/client";
import { expect, test } from "vitest";
import { errorMessage } from "./error-messages.ts";

test.each([
  [503, "overloaded", "error.overloaded"],
  [503, "storage_failure", "error.storage_failure"],
  [500, "internal", "error.internal"],
] as const)("%i %s is shown as %s", (status, code, key) => {
  expect(errorMessage(new TandemError(status, { error: "From the API", code }), (text) => text)).toBe(key);
});
