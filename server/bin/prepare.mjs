// What `npm start` runs first: plain JavaScript, because an old Node.js can't read the build's TypeScript.
import { nodeProblem } from "../src/node-version.mjs";

const problem = nodeProblem();
if (problem === null) await import("../src/build/build.ts");
else {
  console.error(problem);
  process.exitCode = 1;
}
