import { parentPort } from "node:worker_threads";
import { OriginError } from "../connector.ts";
import type { Read, Reading } from "./parse-in-thread.ts";
import { parseResponse } from "./read.ts";

/* The worker thread of `parse-in-thread.ts`. */

parentPort?.on("message", (reading: Reading) => parentPort?.postMessage(read(reading)));

function read(reading: Reading): Read {
  try {
    return parseResponse(reading);
  } catch (error) {
    if (error instanceof OriginError) return { refused: error.message };
    throw error;
  }
}
