import { expect, test } from "vitest";
import { mostAi, provenanceOfSourceType } from "./digital-source-types.ts";

test.each([
  ["http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia", "ai_generated"],
  ["https://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia/", "ai_assisted"],
  ["http://c2pa.org/digitalsourcetype/trainedAlgorithmicData", "ai_generated"],
  ["digsrctype:compositeSynthetic", "ai_assisted"],
  ["https://schema.org/TrainedAlgorithmicMediaDigitalSource", "ai_generated"],
  ["schema:CompositeSyntheticDigitalSource", "ai_assisted"],
  [" CompositeWithTrainedAlgorithmicMediaDigitalSource ", "ai_assisted"],
  ["trainedAlgorithmicMedia", "ai_generated"],
])("%s says %s", (value, said) => {
  expect(provenanceOfSourceType(value)).toBe(said);
});

test.each([
  "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
  "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture",
  "https://schema.org/AlgorithmicallyEnhancedDigitalSource",
  "not trainedAlgorithmicMedia",
  "constructor",
  "",
  null,
  ["trainedAlgorithmicMedia"],
  `${"/".repeat(1e6)}trainedAlgorithmicMedia`,
])("nothing is said by %.80j", (value) => {
  expect(provenanceOfSourceType(value)).toBeNull();
});

test("the most AI counts", () => {
  expect(mostAi("ai_assisted", "ai_generated", null)).toBe("ai_generated");
  expect(mostAi("human", "ai_assisted")).toBe("ai_assisted");
  expect(mostAi("human", null, undefined)).toBeNull();
});
