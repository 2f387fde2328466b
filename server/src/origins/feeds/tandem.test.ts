import { expect, test } from "vitest";
import { provenanceAmong, provenancesIn } from "./tandem.ts";

const feed = "https://other.example/creators/native/ada_l/feed.rss?limit=2";

test.each([
  ["https://other.example/ai-policy", "human"],
  ["https://elsewhere.example/ai-policy", null],
  ["http://other.example/ai-policy", null],
  ["x:/ai-policy", null],
  ["/ai-policy", null],
  ["", null],
  [undefined, null],
])("a category with the scheme %j states the provenance %j", (scheme, stated) => {
  const categories = [{ value: "looms" }, { value: "human", scheme }];
  expect(provenanceAmong(categories, feed)).toBe(stated);
});

test("an item of a JSON Feed states its provenance only under its own site's policy", () => {
  const items = [
    { id: "a", _tandem: { about: "https://other.example/ai-policy", provenance: "ai_generated" } },
    { id: "b", _tandem: { about: "https://elsewhere.example/ai-policy", provenance: "human" } },
    { id: "c", _tandem: { about: "https://other.example/ai-policy", provenance: null } },
    { id: "d", _tandem: "human" },
    { id: 5, _tandem: { about: "https://other.example/ai-policy", provenance: "human" } },
    "e",
  ];
  expect([...provenancesIn({ items }, feed)]).toEqual([["a", "ai_generated"]]);
});
