import { readFileSync } from "node:fs";
import type { OperationName } from "@tandem/contract/operations";
import type { Values } from "./curl.ts";

/** A call that was made of a real service, and what it answered. */
export interface Run {
  name: OperationName;
  values: Values;
  answer: string;
}

/** Where the service of the runs says that it is. */
export const RUN_AT = "https://tandem.example";

const file = new URL("./runs.jsonl", import.meta.url);

/** One run of each operation, as `runs.slow.test.ts` made them. */
export const runs = new Map<string, Run>(
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Run)
    .map((run) => [run.name, run]),
);
