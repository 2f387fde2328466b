import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RefusalLog } from "./refusal-log.ts";

const began = "requests are refused because the service is busy";
const ended = "requests are no longer refused";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function record() {
  const lines: unknown[][] = [];
  const refusals = new RefusalLog({ warn: (...line: unknown[]) => void lines.push(line) });
  return { lines, refusals };
}

test("an overload has a line when it begins, others while it lasts, and a summary when it is over", () => {
  const { lines, refusals } = record();
  for (let i = 0; i < 3; i++) refusals.add("reads");
  expect(lines).toEqual([[{ refused: 1, reason: "reads" }, began]]);
  vi.advanceTimersByTime(6000);
  refusals.add("writes");
  vi.advanceTimersByTime(4000);
  expect(lines.slice(1)).toEqual([[{ refused: 3, reason: "writes" }, began]]);
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(2)).toEqual([[{ refused: 4, seconds: 6 }, ended]]);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(3);
  refusals.add("reads");
  expect(lines.slice(3)).toEqual([[{ refused: 1, reason: "reads" }, began]]);
});

test("a stop logs what isn't logged yet", () => {
  const { lines, refusals } = record();
  refusals.end();
  expect(lines).toEqual([]);
  refusals.add("reads");
  refusals.add("reads");
  refusals.end();
  expect(lines.slice(1)).toEqual([
    [{ refused: 1, reason: "reads" }, began],
    [{ refused: 2, seconds: 0 }, ended],
  ]);
});
