import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test("what others wrote is told without what commands a terminal", () => {
  expect(printable("\u001b[2Jgone\r\n\u009b31m \u202eéa 语")).toBe("[2Jgone31m éa 语");
});
