import module from "node:module";
import { fileURLToPath } from "node:url";
import { nodeProblem } from "./node-version.mjs";

const problem = nodeProblem();
if (problem === null) await startCached();
else {
  console.error(problem);
  process.exitCode = 1;
}

/** Node keeps compiled code for the next start, which takes half as long then. Without write access there is no cache. */
async function startCached(): Promise<void> {
  module.enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/tandem/", import.meta.url)));
  const { start } = await import("./start.ts");
  await start();
}
