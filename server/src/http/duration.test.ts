import { expect, test } from "vitest";
import { inWords } from "./duration.ts";

test.each([
  [1, "1 second"],
  [119, "119 seconds"],
  [120, "2 minutes (120 s)"],
  [901, "16 minutes (901 s)"],
  [7199, "120 minutes (7199 s)"],
  [86_400, "24 hours (86400 s)"],
])("%d seconds are %s", (seconds, words) => {
  expect(inWords(seconds)).toBe(words);
});
