import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { VERSION } from "@tandem/contract/documents";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { moveUnreleased } from "./changelog.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const workspaces = ["contract", "client", "mcp", "web", "server", "testing", "bench", "seed"];
const manifests = ["package.json", ...workspaces.map((name) => `${name}/package.json`)];
/** Without the developer's own git settings, and without Node's warnings about what older versions call experimental. */
const env = {
  ...process.env,
  NODE_NO_WARNINGS: "1",
  // Each clone has other paths, so a cache would only grow.
  NODE_DISABLE_COMPILE_CACHE: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};
const changelog = `# Changelog

## [Unreleased]

### Added

- Something new.

### Fixed

## [1.0.0] - 2026-11-22

### Added

- Everything.
`;

let home: string;
/** A clone of `home/origin`. */
let clone: string;
let clones = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "tandem-release-"));
  // The clones find the libraries that are installed here.
  await symlink(join(root, "node_modules"), join(home, "node_modules"));
  await makeOrigin(join(home, "origin"));
});
afterAll(() => rm(home, { recursive: true }));

beforeEach(async () => {
  clone = join(home, `clone-${++clones}`);
  await execute("git", ["clone", "--quiet", join(home, "origin"), clone], { env });
  await linkPackages();
});

describe("a release", () => {
  test("sets the version, moves the changes, commits, tags and packs", async () => {
    const lockBefore = JSON.parse(await read("package-lock.json"));
    const { code, stdout, stderr } = await release("minor", { skipTests: false });
    expect([code, stderr]).toEqual([0, ""]);
    // The checks run on the new version.
    expect(stdout).toMatch(/^checking 1\.1\.0, CI=true\n/);
    const lock = JSON.parse(await read("package-lock.json"));
    expect([lock.version, librariesIn(lock)]).toEqual(["1.1.0", librariesIn(lockBefore)]);
    // Fails if a package needs another version of a workspace: npm would look for it in the registry.
    await execute("npm", ["ci", "--dry-run", "--offline", "--ignore-scripts"], { cwd: clone });
    for (const path of manifests) {
      const { version, dependencies, devDependencies } = JSON.parse(await read(path));
      expect(lock.packages[path.replace(/\/?package\.json$/, "")]).toMatchObject(
        JSON.parse(JSON.stringify({ version, dependencies, devDependencies })),
      );
      const internal = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith("@tandem/"),
      );
      expect([path, version, ...internal.map(([, range]) => range)]).toEqual([
        path,
        "1.1.0",
        ...internal.map(() => "1.1.0"),
      ]);
    }
    const notes = "### Added\n\n- Something new.";
    expect(await read("CHANGELOG.md")).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[1\.1\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something new\.\n\n## \[1\.0\.0\]/,
    );
    expect(await git("log", "-1", "--format=%an: %s")).toBe("Ada: Release 1.1.0");
    expect(await git("cat-file", "-t", "v1.1.0")).toBe("tag");
    expect(await git("tag", "--list", "--format=%(contents)", "v1.1.0")).toBe(`Tandem 1.1.0\n\n${notes}`);
    expect(await git("rev-parse", "v1.1.0^{commit}")).toBe(await git("rev-parse", "HEAD"));
    expect((await readdir(join(clone, "dist"))).sort()).toEqual(
      ["client", "contract", "mcp"].map((name) => `tandem-${name}-1.1.0.tgz`),
    );
    const packed = ["-xOf", join(clone, "dist/tandem-client-1.1.0.tgz"), "package/package.json"];
    const published = JSON.parse((await execute("tar", packed)).stdout);
    expect(published).toMatchObject({ version: "1.1.0", dependencies: { "@tandem/contract": "1.1.0" } });
    expect(stdout).toContain("git push --atomic origin main v1.1.0\n");
    expect(stdout).toContain("npm publish --access public ./dist/tandem-mcp-1.1.0.tgz\n");
    // Nothing else changed, and nothing left the clone.
    expect(await git("status", "--porcelain")).toBe("");
    expect((await git("diff", "--name-only", "HEAD~1")).split("\n").sort()).toEqual(
      ["CHANGELOG.md", "package-lock.json", ...manifests].sort(),
    );
    expect(await git("ls-remote", "--tags", "origin")).toBe("");
    expect(await git("rev-list", "--count", "origin/main..main")).toBe("1");
    expect(await read("contract/src/documents.ts")).toContain(`VERSION = "${VERSION}"`);
  });

  test("changes nothing if the checks fail", async () => {
    const head = await git("rev-parse", "HEAD");
    const { code, stderr } = await release("patch", { skipTests: false, env: { FAIL: "1" } });
    expect([code, stderr]).toEqual([1, ".ci/run failed, so nothing was released and no file is changed.\n"]);
    expect(await git("status", "--porcelain")).toBe("");
    expect(await git("rev-parse", "HEAD")).toBe(head);
    expect(await git("tag")).toBe("");
  });

  test("changes nothing if packing fails", async () => {
    await commit("tsconfig.publish.json", '{ "files": [] }\n');
    const { code, stderr } = await release("patch");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Packing failed, .* no file is changed: .*error TS18002: .*\n$/);
    expect(await git("status", "--porcelain")).toBe("");
    expect(await git("tag")).toBe("");
  });

  test("only shows what it would do with --dry-run", async () => {
    const { code, stdout } = await release("major", { args: ["--dry-run"] });
    expect(code).toBe(0);
    expect(stdout).toContain("Would release 2.0.0 (now 1.0.0)");
    expect(stdout).toContain("### Added\n\n- Something new.\n");
    expect(stdout).not.toContain("### Fixed");
    expect(await git("status", "--porcelain", "--ignored")).toBe("!! node_modules/");
    expect(await git("tag")).toBe("");
  });
});

describe("no release is made", () => {
  test("for invalid arguments, or a version that isn't higher", async () => {
    await expectRefusal([], /^Give one version: npm run release -- <version/);
    await expectRefusal(["minor", "patch"], /^Give one version: /);
    await expectRefusal(["minor", "--force"], /^Unknown option '--force': npm run release -- /);
    for (const wrong of ["latest", "v1.2.0", "1.2", "1.2.3-beta.1"])
      await expectRefusal([wrong], /^"[^"]+" must be major, minor, patch or a version such as 1\.2\.3\.$/);
    for (const low of ["1.0.0", "0.9.9"])
      await expectRefusal([low], /^[\d.]+ isn't higher than the current version, 1\.0\.0\.$/);
  });

  test("with uncommitted changes", async () => {
    await writeFile(join(clone, "new.txt"), "");
    await expectRefusal(["minor"], /^There are uncommitted changes: /);
  });

  test("on another branch, or on none", async () => {
    await git("switch", "--quiet", "--create", "topic");
    await expectRefusal(["minor"], /^Releases are made on main, and this is topic\.$/);
    await git("switch", "--quiet", "--detach");
    await expectRefusal(["minor"], /^Releases are made on main, and this is a detached HEAD\.$/);
  });

  test("without anything under Unreleased", async () => {
    await commit("CHANGELOG.md", changelog.replace("- Something new.", ""));
    await expectRefusal(["minor"], /^There is nothing to release: CHANGELOG\.md lists nothing /);
    await commit("CHANGELOG.md", "# Changelog\n");
    await expectRefusal(["minor"], /^CHANGELOG\.md has no heading "## \[Unreleased\]"\.$/);
  });

  test("for a version that already exists", async () => {
    await commit("CHANGELOG.md", changelog.replace("## [1.0.0]", "## [1.1.0] - 2026-12-01\n\n## [1.0.0]"));
    await expectRefusal(["1.1.0"], /^CHANGELOG\.md has a section for 1\.1\.0 already\.$/);
    await git("tag", "v1.2.0");
    await expectRefusal(["1.2.0"], /^The tag v1\.2\.0 exists already\.$/);
  });

  test("if the packages have different versions", async () => {
    await commit("web/package.json", (await read("web/package.json")).replace('"1.0.0"', '"1.0.7"'));
    await expectRefusal(
      ["minor"],
      /^All packages share one version, but package\.json says 1\.0\.0 and web\/package\.json says 1\.0\.7\.$/,
    );
  });
});

test("the changelog can end with unreleased changes, or with links", () => {
  expect(moveUnreleased("# C\n\n## [Unreleased]\n\n- A\n", "1.0.0", "2026-12-01")).toEqual({
    changelog: "# C\n\n## [Unreleased]\n\n## [1.0.0] - 2026-12-01\n\n- A\n",
    notes: "- A",
  });
  const links = "[1.0.0]: https://example.org\n";
  expect(moveUnreleased(`## [Unreleased]\n- A\n\n${links}`, "1.0.0", "2026-12-01")?.changelog).toBe(
    `## [Unreleased]\n\n## [1.0.0] - 2026-12-01\n\n- A\n\n${links}`,
  );
});

function librariesIn(lock: { packages: Record<string, unknown> }): unknown[] {
  return Object.entries(lock.packages).filter(([path]) => path.includes("node_modules/"));
}

/** A repository with everything that a release reads, at version 1.0.0, and with checks that take no time. */
async function makeOrigin(path: string): Promise<void> {
  const filter = (source: string) => basename(source) !== "node_modules";
  const files = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.publish.json", "LICENSE"];
  for (const name of [...files, ".gitignore", "contract", "client", "mcp"])
    await cp(join(root, name), join(path, name), { recursive: true, filter });
  for (const name of manifests) await cp(join(root, name), join(path, name));
  await writeFile(join(path, "CHANGELOG.md"), changelog);
  await mkdir(join(path, ".ci"));
  const checks = `echo "checking $(sed -n 's/.*"version": "\\(.*\\)".*/\\1/p' package.json), CI=$CI"; test -z "$FAIL"`;
  await writeFile(join(path, ".ci/run"), `#!/bin/sh\n${checks}\n`, { mode: 0o755 });
  await resetVersions(path);
  const run = (...args: string[]) => execute("git", args, { cwd: path, env });
  await run("init", "--quiet", "--initial-branch=main");
  await run("add", ".");
  await run("commit", "--quiet", "--message", "Everything");
}

/** Sets all versions to 1.0.0, so that the test is independent of the current version. */
async function resetVersions(path: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const name of manifests) {
    const text = await readFile(join(path, name), "utf8");
    const pattern = new RegExp(`("version"|"@tandem/\\w+"): "${version.replaceAll(".", "\\.")}"`, "g");
    await writeFile(join(path, name), text.replace(pattern, '$1: "1.0.0"'));
  }
  const lock = JSON.parse(await readFile(join(path, "package-lock.json"), "utf8"));
  lock.version = "1.0.0";
  for (const name of ["", ...workspaces]) lock.packages[name].version = "1.0.0";
  await writeFile(join(path, "package-lock.json"), `${JSON.stringify(lock, null, 2)}\n`);
}

async function linkPackages(): Promise<void> {
  const modules = join(clone, "node_modules");
  await mkdir(join(modules, "@tandem"), { recursive: true });
  await symlink(join(root, "node_modules/.bin"), join(modules, ".bin"));
  for (const name of workspaces) await symlink(join(clone, name), join(modules, "@tandem", name));
}

interface Run {
  args?: string[];
  skipTests?: boolean;
  env?: Record<string, string>;
}

function release(version: string, { args = [], skipTests = true, ...more }: Run = {}) {
  return runScript([version, ...(skipTests ? ["--skip-tests"] : []), ...args], more.env);
}

async function runScript(args: string[], more: Record<string, string> = {}) {
  const script = join(clone, "client/src/publish/release.ts");
  const options = { cwd: clone, env: { ...env, CI: "", ...more } };
  return execute(process.execPath, [script, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

async function expectRefusal(args: string[], message: RegExp): Promise<void> {
  const before = await git("status", "--porcelain");
  const { code, stdout, stderr } = await runScript(args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd()).toMatch(message);
  expect(stderr.trimEnd()).not.toContain("\n");
  expect(await git("status", "--porcelain")).toBe(before);
}

async function commit(path: string, text: string): Promise<void> {
  await writeFile(join(clone, path), text);
  await git("commit", "--quiet", "--all", "--message", path);
}

async function git(...args: string[]): Promise<string> {
  return (await execute("git", args, { cwd: clone, env })).stdout.trim();
}

function read(path: string): Promise<string> {
  return readFile(join(clone, path), "utf8");
}
