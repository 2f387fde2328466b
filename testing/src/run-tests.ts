import { spawn } from "node:child_process";
import { once } from "node:events";

/** `npm test`: types and style beside the tests, so that neither core waits. Everything runs, whatever else fails. */
const steps = [
  { name: "types", args: ["run", "--silent", "types"] },
  { name: "lint", args: ["run", "--silent", "lint"] },
  { name: "tests", args: ["exec", "--", "vitest", "run", ...process.argv.slice(2)] },
];

const codes = await Promise.all(
  steps.map(async ({ name, args }) => {
    const step = spawn("npm", args, { stdio: "inherit" });
    const [code] = await once(step, "exit");
    return { name, code };
  }),
);

const failed = codes.filter(({ code }) => code !== 0).map(({ name }) => name);
if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
