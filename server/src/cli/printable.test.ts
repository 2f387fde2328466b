import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test("removes terminal control characters from printed text", () => {
  expect(printable("\u001b[2Jgone\r\n\u009b31m \u202eéa 语")).toBe("[2Jgone31m éa 语");
});
