// What `npm start` runs first: plain JavaScript, because an old Node.js can't read the build's TypeScript.
import { nodeProblem } from "../src/node-version.mjs";

const problem = nodeProblem() ?? (await build());
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
}

/** One sentence where the libraries for the build are missing; null once everything is built. */
async function build() {
  try {
    const { buildAllIfNeeded } = await import("../src/build/build.ts");
    await buildAllIfNeeded();
    return null;
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return `Tandem can't be built (${error.message.split("\n")[0]}): run \`npm ci\` first, with the development dependencies.`;
  }
}
