import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * `npm test`: runs types, style and tests in parallel, to use all cores. Everything runs even if something fails. `--quick` makes it a
 * quick run (`quick-run.ts`); all other arguments go to Vitest.
 */
const quick = "--quick";
const args = process.argv.slice(2);
// A variable left over in the shell must not turn a full run into a quick one.
const { TANDEM_TESTS: _, ...inherited } = process.env;
// With the default, tsc and esbuild, which are written in Go, spend half of their CPU time on garbage collection.
const common = { GOGC: "400", ...inherited };
const env = args.includes(quick) ? { ...common, TANDEM_TESTS: "quick" } : common;

const steps = [
  { name: "types", args: ["run", "--silent", "types"] },
  { name: "lint", args: ["run", "--silent", "lint"] },
  { name: "tests", args: ["exec", "--", "vitest", "run", ...args.filter((one) => one !== quick)] },
];

/** npm as a Node.js script, because on Windows the command `npm` needs a shell. */
const npm = process.env.npm_execpath;

const codes = await Promise.all(
  steps.map(async ({ name, args }) => {
    const step = npm
      ? spawn(process.execPath, [npm, ...args], { stdio: "inherit", env })
      : spawn("npm", args, { stdio: "inherit", env });
    const [code] = await once(step, "exit");
    return { name, code };
  }),
);

const failed = codes.filter(({ code }) => code !== 0).map(({ name }) => name);
if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
