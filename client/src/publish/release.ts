import { execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { hasSection, moveUnreleased } from "./changelog.ts";
import { manifestPaths, versionsOf, withVersion } from "./manifests.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const USAGE = "npm run release -- <version|major|minor|patch> [--dry-run] [--skip-tests]";

/** The reason why a release can't be made, in one sentence for the maintainer. */
class ReleaseError extends Error {}

interface Options {
  /** A version such as 1.2.3, or the part of the current one to increment. */
  request: string;
  /** Shows what would be done, and changes nothing. */
  dryRun: boolean;
  skipTests: boolean;
}

/** What a release consists of, before anything is changed. */
interface Plan {
  version: string;
  tag: string;
  current: string;
  notes: string;
  /** The new contents of files, by path relative to the root. */
  files: Map<string, string>;
}

/**
 * Makes a release in the local repository: version, changelog, checks, packages, commit and tag. It doesn't push or publish,
 * but prints the commands for that. If a step before the commit fails, it restores the files.
 */
async function release({ request, dryRun, skipTests }: Options): Promise<void> {
  await requireCleanMain();
  const plan = await planOf(request);
  if (await git("tag", "--list", plan.tag)) throw new ReleaseError(`The tag ${plan.tag} exists already.`);
  if (dryRun) return describe(plan, skipTests);
  const tarballs = await withFiles(plan.files, async () => {
    if (!skipTests) await check();
    const packed = await packAll();
    await git("commit", "--quiet", "--message", `Release ${plan.version}`, "--", ...plan.files.keys());
    return packed;
  });
  await tag(plan);
  console.log(nextSteps(plan, tarballs));
}

/** Releases are made from commits on main, so that the tag points to exactly what was released. */
async function requireCleanMain(): Promise<void> {
  const branch = await git("branch", "--show-current");
  if (branch !== "main")
    throw new ReleaseError(`Releases are made on main, and this is ${branch || "a detached HEAD"}.`);
  if (await git("status", "--porcelain"))
    throw new ReleaseError(
      "There are uncommitted changes: commit or stash them first (git status lists them).",
    );
}

async function planOf(request: string): Promise<Plan> {
  const paths = manifestPaths(await read("package.json"));
  const manifests = new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
  const current = currentVersion(manifests);
  const version = nextVersion(current, request);
  const changelog = await read("CHANGELOG.md");
  if (hasSection(changelog, version))
    throw new ReleaseError(`CHANGELOG.md has a section for ${version} already.`);
  const moved = moveUnreleased(changelog, version, new Date().toISOString().slice(0, 10));
  if (!moved) throw new ReleaseError('CHANGELOG.md has no heading "## [Unreleased]".');
  if (!moved.notes)
    throw new ReleaseError("There is nothing to release: CHANGELOG.md lists nothing under Unreleased.");
  const lockFile = await read("package-lock.json");
  const files = withVersion(manifests, lockFile, version).set("CHANGELOG.md", moved.changelog);
  return { version, tag: `v${version}`, current, notes: moved.notes, files };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(join(root, path), "utf8");
  } catch {
    throw new ReleaseError(`${path} can't be read.`);
  }
}

function currentVersion(manifests: ReadonlyMap<string, string>): string {
  const versions = versionsOf(manifests);
  const current = String(versions.get("package.json"));
  for (const [path, version] of versions)
    if (version !== current)
      throw new ReleaseError(
        `All packages share one version, but package.json says ${current} and ${path} says ${version}.`,
      );
  return current;
}

const VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

/** Pre-release versions such as 2.0.0-beta.1 aren't supported. */
function nextVersion(current: string, request: string): string {
  const [major = 0, minor = 0, patch = 0] = numbersOf(current);
  if (request === "major") return `${major + 1}.0.0`;
  if (request === "minor") return `${major}.${minor + 1}.0`;
  if (request === "patch") return `${major}.${minor}.${patch + 1}`;
  const wanted = numbersOf(request);
  const difference =
    wanted.map((part, index) => part - ([major, minor, patch][index] ?? 0)).find(Boolean) ?? 0;
  if (difference <= 0)
    throw new ReleaseError(`${request} isn't higher than the current version, ${current}.`);
  return request;
}

function numbersOf(version: string): number[] {
  const parts = VERSION.exec(version)?.slice(1);
  if (!parts) throw new ReleaseError(`"${version}" must be major, minor, patch or a version such as 1.2.3.`);
  return parts.map(Number);
}

function describe({ version, tag, current, notes, files }: Plan, skipTests: boolean): void {
  console.log(`Would release ${version} (now ${current}):

  change  ${[...files.keys()].join(", ")}
  run     ${skipTests ? "no checks (--skip-tests)" : ".ci/run"}
  pack    the client, its contract and the MCP server into dist/
  commit  Release ${version}
  tag     ${tag}

${notes}

Nothing was changed.`);
}

/** Writes the files, does the work, and restores them if it fails or is interrupted. */
async function withFiles<Result>(
  files: ReadonlyMap<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  // Ctrl-C ends the running child process, which makes the work fail.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    for (const [path, text] of files) await writeFile(join(root, path), text);
    return await work();
  } catch (error) {
    await git("restore", "--staged", "--worktree", "--", ...files.keys());
    throw error;
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** Runs the CI checks as CI does, and shows the output. */
async function check(): Promise<void> {
  const env = { ...process.env, CI: "true" };
  const child = spawn(join(root, ".ci/run"), { cwd: root, stdio: "inherit", env });
  const passed = await new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  if (!passed) throw new ReleaseError(".ci/run failed, so nothing was released and no file is changed.");
}

/** Returns the paths of the tarballs. The packer is imported only now, because the checks install its dependencies. */
async function packAll(): Promise<string[]> {
  try {
    const { pack } = await import("./pack.ts");
    return await pack(join(root, "dist"));
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string };
    throw new ReleaseError(
      `Packing failed, so nothing was released and no file is changed: ${firstLine(stdout || message)}`,
    );
  }
}

/** The tag's message contains the notes, for a release on GitHub. Their lines can begin with `#`, hence `--cleanup`. */
async function tag({ tag, version, notes }: Plan): Promise<void> {
  const message = `Tandem ${version}\n\n${notes}`;
  try {
    await git("tag", "--annotate", tag, "--cleanup=whitespace", "--message", message);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ReleaseError(
      `The release is committed but not tagged: ${reason} Undo it with git reset --hard HEAD~1, and try again.`,
    );
  }
}

function nextSteps({ version, tag }: Plan, tarballs: readonly string[]): string {
  // npm interprets a path without ./ as a GitHub repository.
  const paths = tarballs.map((path) => `./${relative(root, path)}`);
  return `
Released ${version} in this repository: committed, tagged ${tag} and packed. Nothing was pushed or published. Next:

  git push --atomic origin main ${tag}
${paths.map((path) => `  npm publish --access public ${path}`).join("\n")}
  gh release create ${tag} --verify-tag --notes-from-tag ${paths.join(" ")}

To undo it instead, before pushing: git tag --delete ${tag} && git reset --hard HEAD~1`;
}

async function git(...args: string[]): Promise<string> {
  try {
    const { stdout } = await execute("git", args, { cwd: root });
    return stdout.trim();
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === "ENOENT") throw new ReleaseError("git isn't installed.");
    throw new ReleaseError(`git ${args[0]} failed: ${firstLine(stderr ?? "")}`);
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

function optionsOf(args: string[]): Options {
  try {
    const options = { "dry-run": { type: "boolean" }, "skip-tests": { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [request, ...others] = positionals;
    if (request === undefined || others.length > 0) throw new Error("Give one version");
    return { request, dryRun: values["dry-run"] ?? false, skipTests: values["skip-tests"] ?? false };
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split(". ");
    throw new ReleaseError(`${reason}: ${USAGE}`);
  }
}

try {
  await release(optionsOf(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
