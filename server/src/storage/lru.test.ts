import { expect, test } from "vitest";
import { Lru } from "./lru.ts";

test("keeps the most recently used values and recreates others", () => {
  const lru = new Lru<string, { key: string }>(2);
  const made: string[] = [];
  const get = (key: string) =>
    lru.get(key, () => {
      made.push(key);
      return { key };
    });
  const first = get("a");
  get("b");
  expect(get("a")).toBe(first);
  get("c");
  expect(get("a")).toBe(first);
  get("b");
  expect(made).toEqual(["a", "b", "c", "b"]);
});
