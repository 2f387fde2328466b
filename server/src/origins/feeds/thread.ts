import { parentPort } from "node:worker_threads";
import { OriginError } from "../connector.ts";
import { parseOpmlFile } from "../opml/read.ts";
import type { Parsed, Read, Reading, Task } from "./parse-in-thread.ts";
import { parseResponse } from "./read.ts";

/* The worker thread of `parse-in-thread.ts`. */

const parsers: { [Parser in keyof Parsed]: (reading: Reading) => Parsed[Parser] } = {
  feed: parseResponse,
  opml: parseOpmlFile,
};

parentPort?.on("message", (task: Task) => parentPort?.postMessage(read(task)));

function read({ parser, reading }: Task): Read {
  try {
    return parsers[parser](reading);
  } catch (error) {
    if (error instanceof OriginError) return { refused: error.message };
    throw error;
  }
}
