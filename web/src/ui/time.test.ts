import { DAY, MINUTE } from "@tandem/contract/durations";
import { expect, test } from "vitest";
import { ageText, deadlineText, relativeTime } from "./time.tsx";

test("formats relative times in each language", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  const minutes = (count: number, locale: string) => relativeTime(now - count * MINUTE, now, locale);
  expect([minutes(4, "en"), minutes(4, "de"), minutes(1080, "de")]).toEqual([
    "4m ago",
    "vor 4 Min.",
    "vor 18 Std.",
  ]);
});

test("says in Arabic that months have passed", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  expect(relativeTime(now - 270 * DAY, now, "ar")).toBe("قبل 9 أشهر");
});

test("counts weeks and longer, as abbreviations of last week are hard to read", () => {
  const now = Date.parse("2026-03-02T00:00:00Z");
  const days = (count: number, locale: string) => relativeTime(now - count * DAY, now, locale);
  expect([1, 8, 40, 400].map((count) => days(count, "en"))).toEqual([
    "yesterday",
    "1w ago",
    "1mo ago",
    "1y ago",
  ]);
  expect([days(8, "de"), relativeTime(now - 8 * DAY, now, "en", "long")]).toEqual([
    "vor 1 Woche",
    "last week",
  ]);
});

test("formats ages for bylines, from a month on as relative times", () => {
  const now = Date.parse("2026-03-02T00:00:00Z");
  const ages = (locale: string) =>
    [0, 4 * MINUTE, 2 * DAY, 8 * DAY, 40 * DAY].map((age) => ageText(now - age, now, locale));
  expect([ages("en"), ages("de")]).toEqual([
    ["now", "4m", "2d", "1w", "1mo ago"],
    ["jetzt", "4 Min.", "2 Tg.", "1 Wo.", "vor 1 Monat"],
  ]);
});

test("formats deadlines as dates", () => {
  const at = "2026-01-09T15:04:00Z";
  expect(["en", "de"].map((locale) => deadlineText(at, locale, "UTC"))).toEqual([
    "Jan 9, 2026, 3:04 PM",
    "09.01.2026, 15:04",
  ]);
});
