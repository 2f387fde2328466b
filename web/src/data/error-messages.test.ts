import { TandemError } from "@tandem/client";
import { expect, test } from "vitest";
import { errorMessage, fieldErrorMessages } from "./error-messages.ts";

test.each([
  [503, "overloaded", "error.overloaded"],
  [503, "storage_failure", "error.storage_failure"],
  [500, "internal", "error.internal"],
] as const)("%i %s is shown as %s", (status, code, key) => {
  expect(errorMessage(new TandemError(status, { error: "From the API", code }), (text) => text)).toBe(key);
});

test("an address that only the API refuses has a text of the app's", () => {
  const error = { field: "email", code: "invalid_input", error: "From the API" } as const;
  expect(fieldErrorMessages(new TandemError(400, { ...error, errors: [error] }), (text) => text)).toEqual({
    email: "validation.email",
  });
});
