// Plain JavaScript, so that a Node.js too old for TypeScript can run it.
import { readFileSync } from "node:fs";

/** One sentence if this Node.js is older than the package's `engines` allow; null if it isn't. */
export function nodeProblem(version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const needed = engines.node.replace(">=", "");
  const [[major, minor], [neededMajor, neededMinor]] = [version, needed].map((one) =>
    one.split(".").map(Number),
  );
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return null;
  return `Tandem needs Node.js ${needed} or later, but this is ${version}: run \`npm ci\`, which installs one on most systems, or install a newer one yourself.`;
}
