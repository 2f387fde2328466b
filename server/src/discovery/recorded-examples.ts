import { readFileSync } from "node:fs";
import type { OperationName } from "@tandem/contract/operations";
import type { Values } from "./curl.ts";

/** A call to a real service, with its response. */
export interface RecordedExample {
  name: OperationName;
  values: Values;
  response: string;
}

/** The base URL of the service in the examples. */
export const EXAMPLE_BASE_URL = "https://tandem.example";

const file = new URL("./recorded-examples.jsonl", import.meta.url);

/** One example per operation, recorded by `recorded-examples.slow.test.ts`. */
export const recordedExamples = new Map<string, RecordedExample>(
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RecordedExample)
    .map((example) => [example.name, example]),
);
