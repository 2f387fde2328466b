/**
 * `npm run test:runtimes`: starts the built service under each supported Node.js version and runs the README's commands. Each
 * Node.js comes from npm, like the one that `npm ci` installs.
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MINUTE } from "@tandem/contract/durations";
import manifest from "../../package.json" with { type: "json" };
import { expectedLines, runReadmeCommands } from "./readme-commands.ts";

const execute = promisify(execFile);
const server = fileURLToPath(new URL("../../server/", import.meta.url));

/** Major versions. */
const SUPPORTED = [22, 24, 26];
const TOO_OLD = 20;

/** The npm package with Node.js for this system. */
function packageName(): string {
  const { platform, arch } = process;
  const system = platform === "win32" ? "win" : platform;
  const name = Object.keys(manifest.optionalDependencies).find((one) => one.endsWith(`${system}-${arch}`));
  if (!name) throw new Error(`npm has no package with Node.js for ${platform} on ${arch}.`);
  return name;
}

async function fetchNode(major: number, folder: string): Promise<string> {
  const name = packageName();
  const prefix = join(folder, String(major));
  await execute("npm", ["install", "--no-audit", "--no-fund", "--prefix", prefix, `${name}@${major}`]);
  return join(prefix, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
}

/** Milliseconds for a service to start, be used and stop. */
const LIMIT = MINUTE;

/**
 * Starts an entry point of the server, calls `use` with its address, and stops it. Throws unless it prints its address and ends
 * with exit code 0 within {@link LIMIT}.
 */
async function withService(node: string, entry: string, use: (address: string) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), "tandem-runtime-"));
  const env = { PATH: process.env.PATH, PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const service = spawn(node, [join(server, entry)], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(service, "exit");
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    service.kill("SIGKILL");
  }, LIMIT);
  let isServing = false;
  let printed = "";
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      printed += `${line}\n`;
      const address = /^Tandem serves (\S+)$/.exec(line)?.[1];
      if (!address) continue;
      isServing = true;
      await use(address);
      break;
    }
  } catch (cause) {
    throw isLate ? new Error(`${entry} took longer than ${LIMIT / 1000} s.`, { cause }) : cause;
  } finally {
    service.kill("SIGTERM");
    await exit;
    clearTimeout(timer);
    await rm(dataDir, { recursive: true });
  }
  const end = isLate ? `took longer than ${LIMIT / 1000} s` : `ended with exit code ${service.exitCode}`;
  if (!isServing) throw new Error(`${entry} ${end} and never printed its address, but:\n${printed}`);
  if (isLate || service.exitCode !== 0) throw new Error(`${entry} ${end}.`);
}

async function checkVersion(node: string): Promise<void> {
  await withService(node, "dist/main.js", async (address) => {
    const { missing, output } = await runReadmeCommands(address);
    if (missing !== null)
      throw new Error(`The README expects "${missing}", but the service responded:\n${output}`);
  });
  // Also from source, as `npm run dev` does.
  await withService(node, "src/main.ts", async (address) => {
    const { status } = await fetch(`${address}/readyz`);
    if (status !== 200) throw new Error(`/readyz returned ${status}.`);
  });
}

/** An unsupported Node.js must get one sentence and exit code 1. */
async function checkRefusal(node: string): Promise<void> {
  for (const entry of ["bin/prepare.mjs", "dist/main.js"]) {
    const refused = await execute(node, [join(server, entry)]).catch((error) => error);
    const isSentence = /^Tandem needs Node\.js [\d.]+ or later, but this is [^\n]+\.\n$/.test(refused.stderr);
    if (refused.code !== 1 || !isSentence)
      throw new Error(`${entry} printed: ${refused.stdout}${refused.stderr}`);
  }
}

const folder = await mkdtemp(join(tmpdir(), "tandem-runtimes-"));
try {
  await execute(process.execPath, [join(server, "bin/prepare.mjs")]);
  for (const major of [...SUPPORTED, TOO_OLD]) {
    const node = await fetchNode(major, folder);
    const { stdout: version } = await execute(node, ["--version"]);
    await (major === TOO_OLD ? checkRefusal(node) : checkVersion(node));
    const result =
      major === TOO_OLD ? "refused in one sentence" : `all ${expectedLines.length} lines as expected`;
    console.log(`Node.js ${version.trim()}: ${result}`);
  }
} finally {
  await rm(folder, { recursive: true });
}
