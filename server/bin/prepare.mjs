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
    const reason = error.message.split("\n")[0];
    if (error.code === "ERR_MODULE_NOT_FOUND")
      return `Tandem must be built, and a library for that is missing (${reason}): run \`npm ci && npm run build\`.`;
    if (error.code === "EACCES" || error.code === "EROFS")
      return `Tandem must be built, and can't be here (${reason}): run \`npm run build\` as the owner of this directory.`;
    throw error;
  }
}
