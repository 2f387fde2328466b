import module from "node:module";
import { compileCache } from "./compile-cache.ts";
import { nodeProblem } from "./node-version.mjs";

const problem = nodeProblem();
if (problem === null) await startCached();
else {
  console.error(problem);
  process.exitCode = 1;
}

/** From source, a start from compiled code takes two thirds of the time. Where the cache can't be written, there is none. */
async function startCached(): Promise<void> {
  module.enableCompileCache(compileCache);
  const { start } = await import("./start.ts");
  await start();
}
