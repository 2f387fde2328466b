import { execFile } from "node:child_process";
import {
  appendFile,
  cp,
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { API } from "typescript/unstable/async";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const layers = ["contract", "client", "mcp", "web", "server", "testing", "bench", "seed"];
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "tandem-contributing-"));
  await copySources();
  await buildNothing();
});
afterAll(() => rm(copy, { recursive: true }));

test("an operation added by following CONTRIBUTING compiles and passes its test", async () => {
  const guide = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const changes = [...guide.matchAll(/^```(ts|diff) (\S+)\n(.*?)^```$/gms)];
  expect(changes.length).toBeGreaterThan(5);
  for (const [, kind, path, text] of changes) await change(String(kind), String(path), String(text));
  await checkTypes(changes.map(([, , path]) => String(path)));
  const { stdout } = await run("vitest/vitest.mjs", "run", "server/src/features/posts/empty-saved.test.ts");
  expect(stdout).toContain("1 passed");
  // Runs a type check and another test run.
}, 300_000);

/** A copy of the sources, with the same libraries, and links among its packages that stay within it. */
async function copySources(): Promise<void> {
  const filter = (path: string) => basename(path) !== "node_modules";
  for (const name of [...layers, "tsconfig.json", "vitest.config.ts", "package.json", "package-lock.json"]) {
    await cp(join(root, name), join(copy, name), { recursive: true, filter });
  }
  await mkdir(join(copy, "node_modules", "@tandem"), { recursive: true });
  for (const library of await readdir(join(root, "node_modules"))) {
    if (library === "@tandem" || library.startsWith(".")) continue;
    await symlink(join(root, "node_modules", library), join(copy, "node_modules", library));
  }
  for (const layer of layers) {
    await symlink(join(copy, layer), join(copy, "node_modules", "@tandem", layer));
    // Libraries installed for one package only, if any.
    await symlink(join(root, layer, "node_modules"), join(copy, layer, "node_modules"));
  }
}

/** Disables the build in the copy: the new operation's test needs no pages and starts no processes. */
async function buildNothing(): Promise<void> {
  const file = join(copy, "testing/src/built.ts");
  const setup = await readFile(file, "utf8");
  const without = setup.replace("await buildAllIfNeeded();", "");
  expect(without).not.toBe(setup);
  await writeFile(file, without);
}

/** Appends TypeScript to its file, which may be new. Inserts added lines of a diff below the line that precedes them. */
async function change(kind: string, path: string, text: string): Promise<void> {
  const file = join(copy, path);
  if (kind === "ts") return appendFile(file, `\n${text}`);
  let source = await readFile(file, "utf8");
  for (const [, before, added] of text.matchAll(/^ (.*)\n((?:\+.*\n)+)/gm)) {
    expect(source, `${path} should contain the line from the guide`).toContain(`\n${before}\n`);
    source = source.replace(`\n${before}\n`, () => `\n${before}\n${added?.replace(/^\+/gm, "")}`);
  }
  await writeFile(file, source);
}

/**
 * Checks what another operation can break: these files, and those that name the type of all operations. The rest takes most of the
 * time, and `npm run types` checks it. Only the compiler's API can check some files of a program.
 */
async function checkTypes(changed: readonly string[]): Promise<void> {
  const files = new Set(changed);
  for await (const path of glob("*/src/**/*.{ts,tsx}", { cwd: copy })) {
    const text = await readFile(join(copy, path), "utf8");
    if (path.endsWith(".d.ts") || /\b(Operation(Name|s)|typeof operations)\b/.test(text)) files.add(path);
  }
  const config = join(copy, "tsconfig.operation.json");
  await writeFile(config, JSON.stringify({ extends: "./tsconfig.json", include: [], files: [...files] }));
  const compiler = new API({ cwd: copy });
  try {
    const project = (await compiler.updateSnapshot({ openProjects: [config] })).getProject(config);
    for (const file of files) {
      const [path, program] = [join(copy, file), project?.program];
      const faults = [
        await program?.getSyntacticDiagnostics(path),
        await program?.getSemanticDiagnostics(path),
      ];
      expect([file, ...faults]).toEqual([file, [], []]);
    }
  } finally {
    await compiler.close();
  }
}

async function run(command: string, ...args: string[]): Promise<{ stdout: string }> {
  const started = promisify(execFile)(process.execPath, [join(root, "node_modules", command), ...args], {
    cwd: copy,
    // Each copy has other paths, so a cache would only grow.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  return started.catch((error) => {
    throw new Error(`${command} ${args.join(" ")} failed:\n${error.stdout}\n${error.stderr}`);
  });
}
