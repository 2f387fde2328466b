import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Gauge, type Registry } from "prom-client";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What runs. `commit` is that of the setting; without it, that of the git checkout. */
export function buildInfo(commit: string): { version: string; commit: string; node: string } {
  const { version } = JSON.parse(readFileSync(join(root, "server", "package.json"), "utf8"));
  return { version, commit: commit || (checkedOut(root) ?? "unknown"), node: process.version };
}

export function reportBuild(metrics: Registry, commit: string): void {
  new Gauge({
    name: "tandem_build_info",
    help: "Always 1. Its labels are the version, commit and Node.js version that run.",
    labelNames: ["version", "commit", "node"],
    aggregator: "max",
    registers: [metrics],
  }).set(buildInfo(commit), 1);
}

/** The commit that is checked out in a directory; null if it isn't a git checkout. */
function checkedOut(directory: string): string | null {
  try {
    const git = gitDirectory(join(directory, ".git"));
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    if (!head.startsWith("ref: ")) return head;
    return commitOf(git, head.slice("ref: ".length));
  } catch {
    return null;
  }
}

/** In another worktree, `.git` is a file that names the directory. */
function gitDirectory(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^gitdir: (.*)\n$/s, "$1");
  } catch {
    return path;
  }
}

function commitOf(git: string, ref: string): string | null {
  const shared = join(git, "commondir");
  const common = existsSync(shared) ? resolve(git, readFileSync(shared, "utf8").trim()) : git;
  const file = join(common, ref);
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const packed = readFileSync(join(common, "packed-refs"), "utf8").split("\n");
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? null;
}
