import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startTandem } from "@tandem/testing/tandem";

/*
 * Runs the MCP project's own conformance suite against `/mcp`: the scenarios for servers that need no fixtures. The others call
 * tools, prompts and resources that only a test server has, or capabilities that this one doesn't declare. npm downloads the
 * suite.
 *
 *   npm run conformance
 */

const SUITE = "@modelcontextprotocol/conformance@0.1.16";

const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

await using tandem = await startTandem();
const command = ["exec", "--yes", `--package=${SUITE}`, "--", "conformance", "server", "--suite", "all"];
const { stdout } = await promisify(execFile)("npm", [...command, "--url", `${tandem.baseUrl}/mcp`]).catch(
  // It fails because of the other scenarios.
  (error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }),
);
const lines = [...stdout.matchAll(/([✓✗]) ([\w-]+): \d+ passed, \d+ failed/g)];
const passed = new Set(lines.filter(([, mark]) => mark === "✓").map(([, , name]) => name));
console.table(Object.fromEntries(scenarios.map((name) => [name, passed.has(name) ? "passed" : "failed"])));
process.exitCode = scenarios.every((name) => passed.has(name)) ? 0 : 1;
