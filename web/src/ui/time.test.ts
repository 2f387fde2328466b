import { MINUTE } from "@tandem/contract/durations";
import { expect, test } from "vitest";
import { deadlineText, relativeTime } from "./time.tsx";

test("formats relative times in each language", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  const minutes = (count: number, locale: string) => relativeTime(now - count * MINUTE, now, locale);
  expect([minutes(4, "en"), minutes(4, "de"), minutes(1080, "de")]).toEqual([
    "4m ago",
    "vor 4 Min.",
    "vor 18 Std.",
  ]);
});

test("formats deadlines as dates", () => {
  const at = "2026-01-09T15:04:00Z";
  expect(["en", "de"].map((locale) => deadlineText(at, locale, "UTC"))).toEqual([
    "Jan 9, 2026, 3:04 PM",
    "09.01.2026, 15:04",
  ]);
});
